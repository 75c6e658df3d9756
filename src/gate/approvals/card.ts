/**
 * The card: what a person is shown of a call before they say yes or no, made from the bytes that will
 * be sent. Plain data; every view is drawn from it, and its digest says what was seen.
 */
import { createHash } from 'node:crypto';
import type { Mode } from '../../effect/effect.ts';
import type { Reason } from '../../effect/infer/reason.ts';
import type { Tier } from '../../effect/tier.ts';
import { TIERS } from '../../effect/tier.ts';
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import type { AskChannel, GrantScope } from '../policy/verdict.ts';
import { DEPTH_LIMIT, MESSAGE_LIMIT } from '../protocol/read-frame.ts';
import type { Binding } from './binding.ts';
import { digestArguments } from './binding.ts';
import { findLookAlikes } from './look-alikes.ts';
import { showText } from './show-text.ts';

const KIB = 1024;

/**
 * Characters of the arguments, made visible. A host's form and a terminal show everything at once, so a long
 * text would push the rest out of sight; the console folds long values and opens them in full.
 */
export const CHANNEL_LIMITS: Readonly<Record<AskChannel, number>> = Object.freeze({
  elicitation: 8 * KIB,
  terminal: 32 * KIB,
  webhook: 256 * KIB,
  console: 1024 * KIB,
});

export interface CardInit {
  readonly server: string;
  readonly tool: string;
  readonly title?: string;
  readonly tier: Tier;
  /** What the call does, as far as that is known. Default: what its tier means. */
  readonly does?: string;
  readonly why: string;
  readonly reasons: readonly Reason[];
  readonly price?: Price;
  /** The exact JSON text that will be sent; empty when the call has no arguments. */
  readonly argumentsText: string;
  /** JSON of what the call has beside its arguments; empty when there is nothing. */
  readonly besidesText?: string;
  readonly principal: string;
  readonly session: string;
  readonly mode: Mode;
  /** Through which a person may answer, by the policy. */
  readonly channels: readonly AskChannel[];
  /** What a yes may cover; always holds `call`. */
  readonly scopes: readonly GrantScope[];
  /** The longest that a wider yes may hold. Default: 15. */
  readonly grantMinutes?: number;
  readonly earlier?: EarlierCall;
  readonly change?: Change;
}

/** What the call replaces, compared with what it writes. Says nothing about what a yes is bound to. */
export interface Change {
  /** The tool that read what was there. */
  readonly from: string;
  /** A unified diff; empty when nothing differs. */
  readonly diff: string;
}

/** An equal call before this one whose outcome is not known. */
export interface EarlierCall {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly isRunning: boolean;
}

export interface Price {
  readonly amount: string;
  readonly unit: string;
  /** The operation that told it. */
  readonly from: string;
}

/** All texts are made visible already. */
export interface Card {
  readonly version: 1;
  readonly server: string;
  readonly tool: string;
  /** In the server's own words; may be untrue. */
  readonly title?: string;
  readonly tier: Tier;
  /** What the call does, as far as that is known. */
  readonly meaning: string;
  readonly why: string;
  readonly reasons: readonly string[];
  readonly price?: Price;
  readonly change?: Change;
  readonly principal: string;
  readonly session: string;
  readonly mode: Mode;
  /** Through which an answer counts: those of the policy that can show all of the card. */
  readonly channels: readonly AskChannel[];
  readonly scopes: readonly GrantScope[];
  readonly grantMinutes: number;
  readonly arguments: readonly ArgumentLine[];
  /** The same digest as in the binding. */
  readonly argumentsDigest: string;
  readonly warnings: readonly string[];
}

const GRANT_MINUTES = 15;
const MOST_WARNINGS = 10;
const LONGEST_WARNING = 400;
const LONGEST_TITLE = 200;
const MOST_DIFF_LINES = 400;
const LONGEST_DIFF_LINE = 1000;
const LONGEST_SHOWN = Math.max(...Object.values(CHANNEL_LIMITS));

export function toCard(init: CardInit): Card {
  const { title, price, besidesText = '' } = init;
  // Nowhere could so much be shown, and taking it apart would keep all other calls waiting.
  const isTooLong = init.argumentsText.length + besidesText.length > LONGEST_SHOWN;
  const { lines, warnings, unreadable } = toArgumentLines(isTooLong ? '' : init.argumentsText);
  const besides = toArgumentLines(isTooLong ? '' : besidesText);
  const shown = [...lines, ...besides.lines.map(toBesideLine)];
  const size = sizeOfLines(shown);
  const names = [init.server, init.tool, title ?? '', init.principal].flatMap(findLookAlikes);
  const doubts = [...names.map(({ warning }) => warning), ...warnings, ...besides.warnings];
  const channels =
    unreadable || isTooLong
      ? []
      : init.channels.filter((channel) => size <= CHANNEL_LIMITS[channel]);
  return Object.freeze({
    version: 1,
    server: showText(init.server),
    tool: showText(init.tool),
    ...(title !== undefined && { title: shorten(showText(title), LONGEST_TITLE) }),
    tier: init.tier,
    meaning: showText(init.does ?? TIERS[init.tier].meaning),
    why: showText(init.why),
    reasons: init.reasons.map(({ text }) => showText(text)),
    ...(price !== undefined && { price: toShownPrice(price) }),
    ...(init.change !== undefined && { change: toShownChange(init.change) }),
    principal: showText(init.principal),
    session: showText(init.session),
    mode: init.mode,
    channels,
    scopes: [...init.scopes],
    grantMinutes: init.grantMinutes ?? GRANT_MINUTES,
    arguments: shown,
    argumentsDigest: digestArguments(init.argumentsText, besidesText),
    warnings: [
      ...(init.earlier === undefined ? [] : [toEarlierText(init.earlier)]),
      ...(unreadable ? ['The arguments are not plain JSON and are shown as they are.'] : []),
      ...toBounded([...new Set(doubts)]),
    ],
  });
}

function toEarlierText({ at, isRunning }: EarlierCall): string {
  const sent = `An equal call was sent at ${new Date(at).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
  return isRunning
    ? `${sent} and has not been answered yet. If you approve this one, both may run.`
    : `${sent}, and its outcome is not known: it may have taken effect. Check that before you approve this one.`;
}

/** So that a text of many words cannot push the first warning off the card. */
function toBounded(warnings: readonly string[]): readonly string[] {
  const first = warnings.slice(0, MOST_WARNINGS).map((text) => shorten(text, LONGEST_WARNING));
  const more = warnings.length - first.length;
  return more === 0 ? first : [...first, `And ${more} more words like these.`];
}

function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`;
}

/** The digest of what is shown. */
export function digestCard(card: Card): string {
  // Plain data by its type; the canonical form refuses what is not.
  const text = toCanonicalJson(card as unknown as JsonValue);
  return createHash('sha256').update('plimsoll card 1\n').update(text).digest('hex');
}

/** Whether the card shows the call that the binding names. */
export function isCardOf(card: Card, binding: Binding): boolean {
  return (
    card.argumentsDigest === binding.arguments &&
    card.tier === binding.tier &&
    card.mode === binding.mode &&
    card.server === showText(binding.server) &&
    card.tool === showText(binding.tool) &&
    card.principal === showText(binding.principal) &&
    card.session === showText(binding.session)
  );
}

/** No pointer into the arguments begins like this. */
function toBesideLine(line: ArgumentLine): ArgumentLine {
  return { ...line, pointer: `params:${line.pointer}` };
}

/** Line by line: only the lines of the diff itself begin one. */
function toShownChange({ from, diff }: Change): Change {
  const lines = diff.split('\n');
  const shown = lines
    .slice(0, MOST_DIFF_LINES)
    .map((line) => shorten(showText(line), LONGEST_DIFF_LINE));
  const rest = lines.length - shown.length;
  return {
    from: showText(from),
    diff: [...shown, ...(rest > 0 ? [`… and ${rest} more lines`] : [])].join('\n'),
  };
}

function toShownPrice({ amount, unit, from }: Price): Price {
  return { amount: showText(amount), unit: showText(unit), from: showText(from) };
}

/**
 * The arguments of a call as people are shown them: one entry for each leaf of the JSON text, whole and
 * with every character visible. Shows data only; what it means is for the reader to say.
 */
export interface ArgumentLine {
  /** A JSON pointer, made visible. */
  readonly pointer: string;
  /** JSON, made visible. */
  readonly value: string;
}

interface ArgumentView {
  readonly lines: readonly ArgumentLine[];
  /** What is said of words that pass for others, in keys and values alike. */
  readonly warnings: readonly string[];
  /** The text can be read in more than one way, or not at all, and is shown as it is. */
  readonly unreadable: boolean;
}

/** Whatever the wire accepts can be taken apart. */
const LIMITS = { bytes: MESSAGE_LIMIT, depth: DEPTH_LIMIT, unsafeNumbers: 'keep' } as const;

/** `text` is the exact JSON text of the arguments, or empty when the call has none. */
export function toArgumentLines(text: string): ArgumentView {
  if (text === '') return { lines: [], warnings: [], unreadable: false };
  const parsed = parseStrictJson(text, LIMITS);
  if (parsed.kind === 'refused') {
    const whole = { pointer: '', value: showText(text) };
    return { lines: [whole], warnings: warningsOf(text), unreadable: true };
  }
  const leaves = [...leavesOf(parsed.value, '')];
  const warnings = leaves.flatMap(({ pointer, value }) => [
    ...warningsOf(pointer),
    ...(typeof value === 'string' ? warningsOf(value) : []),
  ]);
  return { lines: leaves.map(toLine), warnings: [...new Set(warnings)], unreadable: false };
}

/** In characters, with what stands around them. */
export function sizeOfLines(lines: readonly ArgumentLine[]): number {
  return lines.reduce((sum, { pointer, value }) => sum + pointer.length + value.length + 8, 0);
}

interface Leaf {
  readonly pointer: string;
  readonly value: JsonValue;
}

/** Recursion is safe: strict JSON has a bounded depth. */
function* leavesOf(value: JsonValue, pointer: string): Generator<Leaf> {
  const members = value !== null && typeof value === 'object' ? Object.entries(value) : [];
  if (members.length === 0) yield { pointer, value };
  for (const [key, member] of members) {
    const escaped = key.replaceAll('~', '~0').replaceAll('/', '~1');
    yield* leavesOf(member, `${pointer}/${escaped}`);
  }
}

function toLine({ pointer, value }: Leaf): ArgumentLine {
  return { pointer: showText(pointer), value: showText(JSON.stringify(value)) };
}

function warningsOf(text: string): readonly string[] {
  return findLookAlikes(text).map(({ warning }) => warning);
}
