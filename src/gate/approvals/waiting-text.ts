/**
 * What the caller of a call that waits for a person is told. Written for a model to pass on: who holds
 * the call and why, and where a person answers. The problem around it says that nothing was run and when to
 * send the call again. Holds no credential.
 */
import { resolve } from 'node:path';
import { showText } from './show-text.ts';
import { countOf } from '../../lib/count-of.ts';
import { quoteWord } from '../../lib/quote-word.ts';

/** Where a person can answer. */
interface Places {
  readonly shortId: string;
  /** Whether an answer in the console counts. */
  readonly atConsole: boolean;
  /** The page of the question, when a console is running. */
  readonly consoleUrl?: string;
  /** Whether `plimsoll approve` counts. */
  readonly atTerminal: boolean;
  /** Whether the question was also posted to the webhook. */
  readonly byWebhook: boolean;
  /** How another process names the ledger of this gate, where it is not the default one. */
  readonly ledgerHint?: string;
}

export interface Waiting extends Places {
  readonly server: string;
  readonly tool: string;
  /** The reason of the verdict, as a sentence. */
  readonly why: string;
  /** Whether sending the call again shows the host's form again. */
  readonly inHost: boolean;
  /** How long this answer was held back for the person. */
  readonly heldSeconds: number;
  /** How long the question stays open from now. */
  readonly expiresInSeconds: number;
}

export function toWaitingText(waiting: Waiting): string {
  const { heldSeconds, expiresInSeconds } = waiting;
  const call = `${showText(waiting.tool)} on ${showText(waiting.server)}`;
  const held = heldSeconds > 0 ? ` Nobody answered within ${seconds(heldSeconds)}.` : '';
  return [
    `Plimsoll is holding this call until a person approves it: ${call}.`,
    `Why: ${toSentence(showText(waiting.why))}${held}`,
    toWays(waiting),
    `The question stays open for ${toDuration(expiresInSeconds)}.`,
  ].join(' ');
}

/** What the caller is told while its call is still held. */
export function toHoldingText(places: Places): string {
  const ways = listWays(places);
  return ways.length === 0
    ? 'Plimsoll is waiting for a person to answer.'
    : `Plimsoll is waiting for a person: to approve or decline, ${ways.join(', or ')}.`;
}

function listWays({ atConsole, consoleUrl, shortId, atTerminal, ledgerHint }: Places): string[] {
  return [
    ...(atConsole && consoleUrl !== undefined ? [`open ${consoleUrl}`] : []),
    // With a terminal at hand, a console that does not run is no help.
    ...(atConsole && consoleUrl === undefined && !atTerminal
      ? [`run \`${toConsoleCommand(ledgerHint)}\``]
      : []),
    ...(atTerminal ? [`run \`${toApproveCommand(shortId, ledgerHint)}\` in a terminal`] : []),
  ];
}

function toWays(waiting: Waiting): string {
  const { shortId, byWebhook, inHost } = waiting;
  const ways = [
    ...listWays(waiting),
    ...(inHost ? ['answer the form that appears when the call is sent again'] : []),
  ];
  const posted = byWebhook ? ' The question was also sent to the approval webhook.' : '';
  if (ways.length === 0) {
    return byWebhook
      ? `The question (${shortId}) was sent to the approval webhook; a person answers there.`
      : `The policy tells nobody about question ${shortId}, so it may stay unanswered.`;
  }
  return `Tell the user: to approve or decline, ${ways.join(', or ')}.${posted}`;
}

function toSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

function seconds(count: number): string {
  return countOf(count, 'second');
}

function toDuration(count: number): string {
  const minutes = Math.round(count / 60);
  if (count < 90) return seconds(Math.max(1, Math.round(count)));
  return `${minutes} minutes`;
}

const SQLITE = 'sqlite:';
const IN_MEMORY = 'sqlite::memory:';

/** The commands by which a person answers, as they are written into texts: ready for a shell, without a password. */
export function toApproveCommand(shortId: string, ledgerHint?: string): string {
  return `plimsoll approve ${shortId}${toLedgerFlag(ledgerHint)}`;
}

export function toConsoleCommand(ledgerHint?: string): string {
  return `plimsoll console${toLedgerFlag(ledgerHint)}`;
}

/** How the ledger of a gate is named in another shell. */
export function toLedgerHint(address: string): string {
  return quoteWord(toShownLedger(address));
}

/** The address of a ledger as it can be shown, and used from another folder: no password, no relative path. */
export function toShownLedger(address: string): string {
  if (address.startsWith(SQLITE) && address !== IN_MEMORY) {
    return `${SQLITE}${resolve(address.slice(SQLITE.length))}`;
  }
  const url = URL.parse(address);
  if (url === null) return address;
  // Parameters may hold a password too.
  url.password = '';
  url.search = '';
  return url.href;
}

/** For the end of a command; nothing for the ledger that commands take anyway. */
export function toLedgerFlag(ledgerHint: string | undefined): string {
  return ledgerHint === undefined ? '' : ` --ledger ${ledgerHint}`;
}
