/**
 * What name, title, description and schemas say about a tool without its claims: hints can raise an
 * inferred effect, so a claim can only be checked against one inferred without it.
 */
import type { InferredEffect } from '../effect/infer/infer-effect.ts';
import { inferEffect } from '../effect/infer/infer-effect.ts';
import { verbOf } from '../effect/infer/lexicon.ts';
import { readOpening } from '../effect/infer/read-description.ts';
import { TIERS } from '../effect/tier.ts';
import { showText } from '../gate/approvals/show-text.ts';
import type { ToolSubject } from './subject.ts';
import { memberOf, parametersOf } from './tool-schema.ts';
import { wordSet } from './tool-texts.ts';
import { toSingular, toWords } from '../effect/infer/to-words.ts';

const READINGS = new WeakMap<ToolSubject, InferredEffect>();

export function inferFromText(tool: ToolSubject): InferredEffect {
  let inferred = READINGS.get(tool);
  if (inferred === undefined) {
    inferred = inferEffect(toUnclaimed(tool.raw), {}, withoutClaims(tool.list));
    READINGS.set(tool, inferred);
  }
  return inferred;
}

const LISTS = new WeakMap<readonly unknown[], readonly unknown[]>();

/** The same array each time, by which inference keeps what it read of a list. */
function withoutClaims(list: readonly unknown[]): readonly unknown[] {
  const known = LISTS.get(list) ?? list.map(toUnclaimed);
  LISTS.set(list, known);
  return known;
}

function toUnclaimed(raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw;
  const title = memberOf(raw, 'annotations', 'title');
  return { ...raw, annotations: { title }, _meta: {} };
}

/**
 * The verb of a tool's name: the first word that is hardly ever a noun, else the first that may be a
 * verb.
 */
export function leadVerb(name: string): string | undefined {
  const words = toWords(name);
  return (
    words.find((word) => verbOf(word)?.firm === true) ??
    words.find((word) => verbOf(word) !== undefined)
  );
}

/**
 * Whether its name begins with one of these verbs, or has it after the service's name, and the
 * description does not begin with a read: enough to fail somebody's build.
 */
export function saysPlainly({ name, raw }: ToolSubject, verbs: ReadonlySet<string>): boolean {
  const words = toWords(name);
  const at = words.findIndex((word) => verbOf(word) !== undefined);
  if (at < 0 || at > 1 || !verbs.has(words[at] ?? '')) return false;
  const description = memberOf(raw, 'description');
  const opening = typeof description === 'string' ? readOpening(description, name) : undefined;
  return opening === undefined || !TIERS[opening.tier].readsOnly;
}

/** What these start may cost anything or nothing; the gate asks, but nothing is known to be wrong. */
const SETTING_GOING = wordSet(
  'run trigger invoke launch perform start rerun scale execute approve',
);
/** A changed entry of a ledger is not a new payment, and a batch need not be a job. */
const KEEPS_BOOKS = wordSet('update edit modify categorize');
/** These are not paid for as such. */
const AROUND = wordSet(
  'method endpoint webhook access setting template category link ownership index',
);
const SURE = 0.6;

export function spends(tool: ToolSubject): boolean {
  if (movesMoney(tool)) return true;
  const words = toWords(tool.name);
  if (words.some((word) => AROUND.has(word))) return false;
  const { effect, confidence, reasons } = inferFromText(tool);
  if (effect.money === undefined || effect.money.moves === 'estimate' || confidence < SURE)
    return false;
  if (words.includes('batch') || (words.includes('transaction') && KEEPS_BOOKS.has(words[0] ?? '')))
    return false;
  const [first] = reasons;
  if (first?.code === 'verb' || first?.code === 'object')
    return first.source === 'name' && !SETTING_GOING.has(leadVerb(tool.name) ?? '');
  return true;
}

/**
 * Whether a tool moves money itself. A billed machine or a paid job spends as well, but what it does
 * is something else, and the money is its price.
 */
const MONEY = wordSet(
  `pay payment payout refund chargeback reimburse charge purchase buy sell checkout transfer withdraw
  withdrawal donate donation deposit swap trade stake unstake remit wire tip bid bet wager order money
  fund card invoice reimbursement disburse`,
);

/** Storing a payment method, registering a payment webhook, or transferring a thing moves no money. */
const MONEY_AROUND = wordSet(
  `method endpoint webhook access profile setting template category link ownership app application
  index repository issue file`,
);

export function movesMoney(tool: ToolSubject): boolean {
  const { money } = inferFromText(tool).effect;
  if (money === undefined || money.moves === 'estimate') return false;
  const words = toWords(tool.name).map(toSingular);
  return words.some((word) => MONEY.has(word)) && !words.some((word) => MONEY_AROUND.has(word));
}

/** Whether a tool is arithmetic: `add(a, b)` takes numbers and changes nothing. */
const NUMBERS = /^(?:[abxynm]|numbers?|values?|num_?\d|operands?|addends?)$/;

export function isSum(tool: ToolSubject): boolean {
  const all = parametersOf(tool);
  return all.length > 0 && all.every(({ key }) => NUMBERS.test(key));
}

/** The reasons for an inferred effect, for use in a finding: the deciding one, and one more. */
const MOST = 2;

export function why({ effect, reasons }: InferredEffect): string {
  const [first, ...rest] = reasons;
  // A reason for a read is not a reason for anything else.
  const agreeing = effect.act === 'read' ? rest : rest.filter(({ text }) => !/\bread$/.test(text));
  const texts = new Set([...(first === undefined ? [] : [first]), ...agreeing].map((r) => r.text));
  return showText([...texts].slice(0, MOST).join('; '));
}
