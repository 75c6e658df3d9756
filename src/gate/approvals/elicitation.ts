/**
 * The question as MCP elicitation, and what a host's answer to it means. Counts only where the policy
 * trusts the host to put it before a person; that is not decided here.
 */
import type { JsonValue } from '../../lib/json-value.ts';
import type { AskChannel, GrantScope } from '../policy/verdict.ts';
import type { Card } from './card.ts';
import { cardToText, scopeToText } from './card-text.ts';

interface ElicitationOptions {
  /** Where the person answers, instead of in the host. */
  readonly url?: string;
  /** The 2025 revisions want an id with an address; later ones have none. */
  readonly withId?: boolean;
}

interface Elicitation {
  readonly method: 'elicitation/create';
  readonly params: Readonly<Record<string, JsonValue>>;
}

export type ElicitationAnswer =
  | { readonly kind: 'approve'; readonly grant: GrantScope }
  | { readonly kind: 'decline' }
  | { readonly kind: 'none' };

interface ClientSituation {
  readonly channels: readonly AskChannel[];
  readonly canElicit: { readonly form: boolean; readonly url: boolean };
  /** Whether a browser can show the question. */
  readonly hasUrl: boolean;
  /** The call carries the state of our question back: the person has just seen it. */
  readonly cameBack: boolean;
  /** The person closed the form of this question without an answer before. */
  readonly wasDismissed: boolean;
}

const NO = 'no';
const LONGEST_MESSAGE = 16 * 1024;

const YES: Readonly<Record<GrantScope, string>> = Object.freeze({
  call: 'approve once',
  arguments: 'approve these arguments',
  session: 'approve for this session',
  lasting: 'approve from now on',
});

export function toElicitation(
  card: Card,
  approvalId: string,
  { url, withId = false }: ElicitationOptions = {},
): Elicitation {
  if (url !== undefined) {
    const message = `${toPageText(card)}Question ${approvalId}\n`;
    const id = withId ? { elicitationId: approvalId } : {};
    return { method: 'elicitation/create', params: { mode: 'url', message, url, ...id } };
  }
  const offered = card.scopes.map((scope) => `"${YES[scope]}": ${scopeToText(scope, card)}`);
  const decision = {
    type: 'string',
    title: 'Decision',
    description: `"${NO}": the call does not run. ${offered.join('. ')}.`,
    enum: [NO, ...card.scopes.map((scope) => YES[scope])],
    // Hosts fill in defaults when a form is sent off untouched.
    default: NO,
  };
  const message = `${cardToText(card)}Question ${approvalId}\n`;
  const requestedSchema = { type: 'object', properties: { decision }, required: ['decision'] };
  return { method: 'elicitation/create', params: { message, requestedSchema } };
}

/** The page shows all of it, whatever is left out here. */
function toPageText(card: Card): string {
  const text = cardToText(card);
  if (text.length <= LONGEST_MESSAGE) return text;
  return cardToText(card, {
    argumentsAt: 'The arguments are too long for this form. The page shows them.',
  });
}

/** Anything but a clear yes is none; in URL mode, to accept is to open the page and says nothing. */
export function fromElicitation(result: unknown): ElicitationAnswer {
  const action = memberOf(result, 'action');
  if (action === 'decline') return { kind: 'decline' };
  if (action !== 'accept') return { kind: 'none' };
  const decision = memberOf(memberOf(result, 'content'), 'decision');
  if (decision === NO) return { kind: 'decline' };
  const scopes = Object.keys(YES) as GrantScope[]; // the record's keys are exactly the union
  const grant = scopes.find((scope) => YES[scope] === decision);
  return grant === undefined ? { kind: 'none' } : { kind: 'approve', grant };
}

/**
 * How an open question is put to the client itself: as a form, as an address, or not, so that the other
 * channels answer it. A person who closed the form is not shown it again, unless there is no other way
 * to ask; and never in answer to the very request that carried it back.
 */
export function toClientStep(situation: ClientSituation): 'form' | 'url' | 'none' {
  const { channels, canElicit, hasUrl, cameBack, wasDismissed } = situation;
  const hasOtherWay = channels.some((channel) => channel !== 'elicitation');
  if (cameBack || (wasDismissed && hasOtherWay)) return 'none';
  if (canElicit.form && channels.includes('elicitation')) return 'form';
  return canElicit.url && hasUrl && channels.includes('console') ? 'url' : 'none';
}

function memberOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name]; // its own member, as was just seen
}
