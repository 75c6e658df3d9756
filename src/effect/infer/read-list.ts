/**
 * What a server's whole list says about each of its tools: whether its hints tell them apart, and which
 * of them have a sibling that undoes what they do.
 */
import type { Change } from '../act.ts';
import { ACTS } from '../act.ts';
import type { StampReading } from '../read-stamp.ts';
import { readStamp } from '../read-stamp.ts';
import { TIERS } from '../tier.ts';
import { verbOf } from './lexicon.ts';
import { hidesLetters, readDisguised } from './read-disguised.ts';
import { readAssertions } from './read-assertions.ts';
import { readOpening, readPhrases } from './read-description.ts';
import { readForeignOpening } from './read-foreign.ts';
import type { Signal } from './reason.ts';
import { toWords } from './to-words.ts';

export interface ListReading {
  /** Whether `destructiveHint: true` says anything about a tool that makes such a change. */
  readonly tellsDestructive: (change: Change) => boolean;
  /**
   * Whether another tool of the list undoes what this one does: `unarchive_x` beside `archive_x`. Not where
   * the server calls that one harmless: then it tells the two apart, and means what it says of the first.
   */
  readonly hasWayBack: (name: string) => boolean;
  /**
   * Whether `destructiveHint: true` on this update says only that it is no addition, as the protocol
   * defines it: `create_x` beside `update_x` has the hint false.
   */
  readonly warnsByDefinition: (name: string) => boolean;
  /** Whether another tool of the list lets out what this one makes: `send_x` or `publish_x` beside `create_x`. */
  readonly goesOutLater: (name: string) => boolean;
  /** The name without the words that every name of the list begins with. */
  readonly ownName: (name: string) => string;
  /** The description without the sentences that most descriptions of the list begin with. */
  readonly ownDescription: (description: string) => string;
}

type ReadTool = (tool: unknown, stamp: StampReading, siblings: ListReading) => Signal;

/** On this share of a server's ordinary tools a hint is a habit, not a warning. */
const HABIT = 2 / 3;
const SEVERAL = 3;
const NEARLY_ALL = 0.9;
const MANY = 10;

const READINGS = new WeakMap<readonly unknown[], ListReading>();

/** `readTool` gives what the text of one tool says. The reading is kept for as long as the list is. */
export function readList(list: readonly unknown[], readTool: ReadTool): ListReading {
  const kept = READINGS.get(list);
  if (kept !== undefined) return kept;
  const stamps = list.map(readStamp);
  const prefix = commonPrefix(stamps.map(({ name = '' }) => name));
  const common = commonSentences(list.map(descriptionOf));
  let habits: ReadonlySet<Change> | undefined;
  let known: ReadonlyMap<string, StampReading> | undefined;
  const names = (): ReadonlyMap<string, StampReading> =>
    (known ??= new Map(stamps.map((stamp) => [toWords(stamp.name ?? '').join('_'), stamp])));
  let additions: ReadonlySet<string> | undefined;
  const reading: ListReading = {
    tellsDestructive(change) {
      habits ??= findHabits(list, stamps, (tool, stamp) => readTool(tool, stamp, reading));
      // Who warns of every change by habit does not mean it on a read either.
      return change === 'nothing' ? habits.size === 0 : !habits.has(change);
    },
    hasWayBack(name) {
      const words = toWords(name);
      return words.some((word, at) =>
        BACK.get(word)?.some((back) => {
          const hint = names().get(words.with(at, back).join('_'))?.hints.destructiveHint;
          return hint !== undefined && (hint.state !== 'claimed' || hint.value);
        }),
      );
    },
    warnsByDefinition(name) {
      additions ??= new Set(
        stamps.flatMap((stamp) => (deniesHarm(stamp) ? toWords(stamp.name ?? '').join('_') : [])),
      );
      const words = toWords(name);
      const at = words.findIndex((word) => UPDATES.has(word));
      return at >= 0 && ADDS.some((add) => additions?.has(words.with(at, add).join('_')));
    },
    goesOutLater(name) {
      const words = toWords(name);
      const at = words.findIndex((word) => ADDS.includes(word));
      return at >= 0 && LETS_OUT.some((verb) => names().has(words.with(at, verb).join('_')));
    },
    ownName: (name) => (name.startsWith(prefix) ? name.slice(prefix.length) : name),
    ownDescription: (description) => withoutSentences(description, common),
  };
  READINGS.set(list, reading);
  return reading;
}

const BACK: ReadonlyMap<string, readonly string[]> = new Map([
  ['archive', ['unarchive', 'restore']],
  ['hide', ['unhide', 'show']],
  ['close', ['reopen', 'open']],
  ['lock', ['unlock']],
  ['pause', ['resume', 'unpause']],
  ['mute', ['unmute']],
  ['unlink', ['link']],
]);

/** Up to a word boundary, and without any word that is a verb, in whatever language or disguise. */
function commonPrefix(names: readonly string[]): string {
  const [first = ''] = names;
  if (names.length < MANY / 2) return '';
  let end = first.length;
  for (const name of names) while (!name.startsWith(first.slice(0, end))) end -= 1;
  const [prefix = ''] = /^(?:.*[^A-Za-z0-9])?/.exec(first.slice(0, end)) ?? [];
  const isHidden = hidesLetters(prefix) || readDisguised(prefix) !== undefined;
  return isHidden || toWords(prefix).some((word) => verbOf(word) !== undefined) ? '' : prefix;
}

const SENTENCE = /^\s*[^.\n]{8,200}(?:[.\n]+(?=\s|$))\s*/;

function commonSentences(descriptions: readonly string[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  if (descriptions.length < MANY / 2) return new Set();
  for (const text of descriptions) {
    const [sentence] = SENTENCE.exec(text.slice(0, 400)) ?? [];
    if (sentence !== undefined) counts.set(sentence.trim(), (counts.get(sentence.trim()) ?? 0) + 1);
  }
  const many = descriptions.length / 2;
  return new Set(
    [...counts].flatMap(([sentence, count]) =>
      count > many && !saysWhatIsDone(sentence) ? [sentence] : [],
    ),
  );
}

/** "Charges 5 credits per call": what all tools do, and no label. */
function saysWhatIsDone(sentence: string): boolean {
  const opening = readOpening(sentence) ?? readForeignOpening(sentence);
  if (opening !== undefined && !TIERS[opening.tier].readsOnly) return true;
  // It is no longer the first sentence of anything, where a verb counts wherever it stands.
  const said = [...readPhrases(sentence, false), ...readAssertions(`. ${sentence}`, false)];
  return said.some(({ tier }) => TIERS[tier].asks);
}

function withoutSentences(description: string, common: ReadonlySet<string>): string {
  if (common.size === 0) return description;
  const [sentence] = SENTENCE.exec(description.slice(0, 400)) ?? [];
  if (sentence === undefined || !common.has(sentence.trim())) return description;
  return description.slice(sentence.length);
}

function descriptionOf(tool: unknown): string {
  if (typeof tool !== 'object' || tool === null || !('description' in tool)) return '';
  return typeof tool.description === 'string' ? tool.description : '';
}

const UPDATES = new Set('update edit modify patch change'.split(' '));
const ADDS = ['create', 'add', 'new'];
const LETS_OUT = ['send', 'publish', 'launch', 'start'];

function deniesHarm({ hints: { destructiveHint: hint } }: StampReading): boolean {
  return hint.state === 'claimed' && !hint.value;
}

function warnsOf({ hints: { destructiveHint: hint } }: StampReading): boolean {
  return hint.state === 'claimed' && hint.value;
}

/** Which changes the server calls destructive as a matter of course. */
function findHabits(
  list: readonly unknown[],
  stamps: readonly StampReading[],
  readTool: (tool: unknown, stamp: StampReading) => Signal,
): ReadonlySet<Change> {
  // Who says it of every tool copies what the protocol assumes anyway.
  if (stamps.length >= SEVERAL && stamps.every(warnsOf))
    return new Set<Change>(['nothing', 'adds', 'alters', 'removes']);
  const writes: { readonly change: Change; readonly warns: boolean; readonly asks: boolean }[] = [];
  for (const [at, stamp] of stamps.entries()) {
    const { tier, act } = readTool(list[at], stamp);
    if (TIERS[tier].readsOnly) continue;
    writes.push({
      change: ACTS[act].change,
      warns: warnsOf(stamp),
      asks: TIERS[tier].asks,
    });
  }
  const share = (some: typeof writes): number =>
    some.filter(({ warns }) => warns).length / some.length;
  const changes = [...new Set(writes.map(({ change }) => change))];
  if (writes.length >= MANY && share(writes) >= NEARLY_ALL) return new Set(changes);
  return new Set(
    changes.filter((change) => {
      const ordinary = writes.filter((one) => one.change === change && !one.asks);
      return ordinary.length >= SEVERAL && share(ordinary) >= HABIT;
    }),
  );
}
