/**
 * What a call does, in one sentence for the person who is asked: no more than is known of it. Inference takes what
 * it cannot tell for the worst case, and that case must not be told as a fact. Pure.
 */
import type { Act } from '../../effect/act.ts';
import type { Effect } from '../../effect/effect.ts';
import { effectsOf, staysInside } from '../../effect/effect.ts';
import { STATEMENT } from '../../effect/infer/read-arguments.ts';
import { toKey } from '../../effect/infer/read-parameters.ts';
import type { Reason, ReasonCode } from '../../effect/infer/reason.ts';
import { ENOUGH_CONFIDENCE } from '../../effect/infer/reason.ts';
import { toWords } from '../../effect/infer/to-words.ts';
import { TIERS } from '../../effect/tier.ts';
import { TIER_WORDS } from '../../effect/tier-words.ts';
import type { CallFacts } from './verdict.ts';

/** What is known of a call. */
type Known = Pick<CallFacts, 'tool' | 'effect' | 'confidence' | 'reasons' | 'arguments'>;

export interface CallDescription {
  /** A sentence about `It`, with its full stop. */
  readonly does: string;
  /** Whether the effect of the call is known, or is the worst that it may be. */
  readonly isCertain: boolean;
  /** The reason that the sentence rests on. */
  readonly reason?: Reason;
}

export function describeCall(known: Known): CallDescription {
  const { effect, reasons } = known;
  const isRead = effectsOf(effect).every(({ tier }) => TIERS[tier].readsOnly);
  const doubt = isRead ? undefined : findDoubt(known);
  if (doubt !== undefined) return { ...doubt, isCertain: STATED.has(doubt.reason.code) };
  const [reason] = reasons;
  const isCertain = known.confidence >= ENOUGH_CONFIDENCE;
  const phrases = [...new Set(effectsOf(effect).map((one) => describeEffect(one, known)))];
  const does = isCertain
    ? `It ${phrases.join(' and ')}.`
    : `It probably ${phrases.join(' and ')}, but that is not certain.`;
  const costs = effectsOf(effect).some(spendsAgain) ? ' Sent twice, it spends twice.' : '';
  return { does: `${does}${costs}`, isCertain, ...(reason !== undefined && { reason }) };
}

interface Doubt {
  readonly does: string;
  readonly reason: Reason;
}

/** Where the effect stands for the worst case of something that cannot be told. */
function findDoubt(known: Known): Doubt | undefined {
  const { reasons, arguments: args } = known;
  const [first] = reasons;
  if (first === undefined) return undefined;
  const runs = reasons.find(({ code }) => code === 'runs-code');
  if (runs !== undefined && GUESSES.has(first.code)) return { does: runsWhat(args), reason: runs };
  if (first.code === 'argument' && namesStatement(first, args)) {
    return { does: runsWhat(args), reason: first };
  }
  const said = SENTENCES[first.code]?.(known);
  return said === undefined ? undefined : { does: said, reason: first };
}

/** Beside code that it runs as given, what its words mean is a guess at the worst. */
const GUESSES: ReadonlySet<ReasonCode> = new Set([
  'runs-code',
  'object',
  'verb',
  'phrase',
  'open-ended',
]);

/** Somebody has said what it does. */
const STATED: ReadonlySet<ReasonCode> = new Set(['pinned', 'claim-raises']);

/** By the reason that decided; the others leave the sentence to the effect. */
const SENTENCES: Readonly<Partial<Record<ReasonCode, (known: Known) => string | undefined>>> = {
  unreadable: () => 'It does not say what it does, so it may do anything.',
  'noun-only': () => 'It does not say what it does, so it may change something.',
  'open-ended': () => 'It may do many things, and its definition does not say which.',
  'calls-tools': () => 'It calls other tools by their names, and may do whatever they do.',
  'instructs-the-model': () =>
    'Its description gives instructions to the model, so what it does is not certain.',
  'replaces-content': (known) => `It writes ${toThing(known)}, and may replace what is there.`,
  phrase: (known) => (mayReplace(known) ? SENTENCES['replaces-content']?.(known) : undefined),
  // The act is the one that fits the tier: all that is known is the tier.
  pinned: ({ effect }) => `It is pinned as ${TIER_WORDS[effect.tier].as}.`,
  'claim-raises': ({ effect }) => `The server marks this tool as ${TIER_WORDS[effect.tier].as}.`,
};

/** The phrase says that it overwrites, for which deleting stands. */
function mayReplace({ effect, reasons }: Known): boolean {
  return (
    !TIERS[effect.tier].issuesSecrets && reasons.some(({ code }) => code === 'replaces-content')
  );
}

const QUERY = /(?:^|_)(?:query|queries|graphql|document)(?:_(?:text|string))?$/;
const COMMAND = /(?:^|_)(?:commands?|cmd|bash|shell|command_line|sh|powershell)$/;
const CHANGES = 'that may change data';

function runsWhat(args: Known['arguments']): string {
  const keys = Object.keys(args).map(toKey);
  if (keys.some((key) => /cypher/.test(key))) return `It runs a Cypher query ${CHANGES}.`;
  if (keys.some((key) => STATEMENT.test(key))) return `It runs SQL ${CHANGES}.`;
  if (keys.some((key) => COMMAND.test(key))) return 'It runs a command, which may do anything.';
  if (keys.some((key) => QUERY.test(key))) return `It runs a query ${CHANGES}.`;
  return 'It runs code, which may do anything.';
}

/** Whether the argument that decided is a statement, and not a word for an act. */
function namesStatement({ text }: Reason, args: Known['arguments']): boolean {
  return Object.keys(args)
    .map(toKey)
    .some((key) => (STATEMENT.test(key) || QUERY.test(key)) && text.includes(`"${key}"`));
}

/** What each act does, before and after what it is done to. */
const DOES: Readonly<Record<Act, (thing: string, effect: Effect) => string>> = {
  read: () => 'looks at data and changes nothing',
  compute: () => 'runs work',
  create: (thing) => `${thing === FILE ? 'writes' : 'creates'} ${toNew(thing)}`,
  append: (thing) => `adds to ${thing}`,
  update: (thing) => `changes ${thing}`,
  put: (thing, { overwrites }) =>
    overwrites ? `replaces ${thing}` : `${thing === FILE ? 'writes' : 'stores'} ${thing}`,
  set: (thing) => (thing === SOMETHING ? 'sets a value' : `sets ${thing}`),
  move: (thing) => `moves ${thing}`,
  archive: (thing, { reversible }) =>
    `puts ${thing} away${reversible ? ', from where it can be restored' : ''}`,
  delete: (thing) => `deletes ${thing}`,
  revoke: (thing) => `takes back ${thing === SOMETHING ? 'access' : thing}`,
  cancel: (thing) => `cancels ${thing}`,
  spend: (_, { money }) =>
    money?.moves === 'reserve' ? 'sets money or credits aside' : 'spends money or credits',
  refund: () => 'gives money back',
  share: (_, { reach }) =>
    staysInside(reach) ? 'hands out data or access' : 'gives data or access to others',
  deliver: (_, { reach }) =>
    staysInside(reach) ? 'sends something that cannot be recalled' : 'sends something to others',
  provision: (thing) => `sets up ${thing === SOMETHING ? 'access' : thing}`,
};

const LOSES = ', and what was there cannot be brought back';

function describeEffect(effect: Effect, known: Known): string {
  const { act, overwrites, reversible } = effect;
  const loses = overwrites && !reversible ? LOSES : '';
  return `${DOES[act](toThing({ ...known, effect }), effect)}${loses}`;
}

function spendsAgain({ tier, repeat }: Effect): boolean {
  return TIERS[tier].needsRepeatContract && repeat.kind === 'fresh';
}

const SOMETHING = 'something';
const FILE = 'a file';
/** Words of a tool's name that leave little doubt. */
const THINGS: ReadonlyMap<string, string> = new Map([
  ['file', FILE],
  ['folder', 'a folder'],
  ['directory', 'a folder'],
  ['row', 'a row'],
]);
const NOUN = /^[a-z][a-z -]{0,40}$/;

/** As it was declared, or as the name of the tool has it. */
function toThing({ effect, tool }: Pick<Known, 'effect' | 'tool'>): string {
  const { object, money } = effect;
  if (object !== 'unknown' && object !== 'data' && money === undefined && NOUN.test(object)) {
    if (object.endsWith('s')) return object;
    return `${/^[aeiou]/.test(object) ? 'an' : 'a'} ${object}`;
  }
  const words = toWords(tool);
  return [...THINGS].find(([word]) => words.includes(word))?.[1] ?? SOMETHING;
}

function toNew(thing: string): string {
  return /^an? /.test(thing) ? `a new ${thing.replace(/^an? /, '')}` : thing;
}
