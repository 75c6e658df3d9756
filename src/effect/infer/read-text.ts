/**
 * Combines what name, title, description and schema say. The name leads; the others can raise its risk,
 * and decide only where it says nothing. No description removes the need to ask.
 */
import { ACTS } from '../act.ts';
import { TIERS } from '../tier.ts';
import { VERBS } from './lexicon.ts';
import { HARMLESS, HOSTED } from './nouns.ts';
import {
  choosesPlan,
  readCode,
  readOutput,
  readSchema,
  replacesAll,
  replacesContent,
} from './read-schema.ts';
import { hidesLetters, readDisguised } from './read-disguised.ts';
import { keepsAmount, mutedBy, readLetOut } from './read-draft.ts';
import { readForwarding } from './read-forwarding.ts';
import { readMetaTool } from './inner-calls.ts';
import { guessUnknown, UNREADABLE } from './guess-unknown.ts';
import { readForeignName, readForeignOpening } from './read-foreign.ts';
import { readAssertions } from './read-assertions.ts';
import { readInstructions, readListed, readOpening, readPhrases } from './read-description.ts';
import { RESULTS } from './find-lead.ts';
import { readName } from './read-name.ts';
import { keepsBooks, readMildObject } from './read-mild-object.ts';
import { readRareName, readRareOpening } from './read-rare.ts';
import type { Choice } from './read-choices.ts';
import { asksOf, readChoices, readChoicesOfRead } from './read-choices.ts';
import type { Parameters } from './read-parameters.ts';
import type { Signal } from './reason.ts';
import { ENOUGH_CONFIDENCE, graverSignal, signal } from './reason.ts';
import { toSingular, toWords } from './to-words.ts';

/** A name that weighs no more than this yields to the description. */
const LOOSE = 0.4;
/** A read that weighs less can be overruled by its parameters. */
const FIRM = 0.7;

interface ToolText {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: Parameters;
  /** Another tool of the same server lets out what this one makes. */
  readonly isPrepared?: boolean;
}

export interface TextReading {
  /** The gravest first, then those that agree or say less. */
  readonly signals: readonly [Signal, ...Signal[]];
  readonly choices: readonly Choice[];
}

export function readText(tool: ToolText): TextReading {
  const { name, title, description, parameters } = tool;
  // A name in letters that only look like words of ours must not be read as if it were one.
  const hidden = hidesLetters(name) ? (readForeignName(name) ?? UNREADABLE) : undefined;
  const plain = readName(name);
  const rare =
    plain === undefined || plain.weight <= LOOSE ? readRareName(name, description) : undefined;
  // `sculpt_map`: a rare verb that leads says more than a word at the end that may be a noun.
  const leads =
    plain !== undefined &&
    !TIERS[plain.tier].asks &&
    rare !== undefined &&
    rare.weight > ENOUGH_CONFIDENCE;
  const masked = plain === undefined || !TIERS[plain.tier].asks ? readDisguised(name) : undefined;
  const named = hidden ?? masked ?? (leads ? rare : plain) ?? readForeignName(name);
  const instructions = readInstructions(description);
  const opening =
    readOpening(description, name) ??
    readForeignOpening(description) ??
    // "Ignore all previous instructions" is no account of what the tool does.
    (instructions === undefined ? readRareOpening(description) : undefined);
  const titled = readName(title, 'title');
  const told =
    hidden ??
    masked ??
    (isConfirmed(named, opening) ? opening : undefined) ??
    (decides(named, opening) ? named : opening) ??
    titled ??
    rare ??
    guessUnknown(tool);
  const mild = told === named ? readMildObject(tool, told) : undefined;
  const first = mild ?? (told === opening && runsAnything(tool, told) ? vaguer(told) : told);
  const looks = first === named && TIERS[first.tier].readsOnly && first.weight >= FIRM;
  const choices = looks ? readChoicesOfRead(parameters, name) : readChoices(parameters, name);
  const vague =
    isOpen(first) ||
    (isUnknown(first) && hidden === undefined) ||
    (first.weight <= LOOSE && opening !== undefined && isOpen(opening));
  const settled = vague && isSettled(choices);
  const all: Signal[] = settled ? [] : [first];
  const code = readCode(tool, named);
  if (code !== undefined) all.push(code);
  const meta = looks ? undefined : readMetaTool(name, parameters);
  // Whatever its own name means, a call of it is the calls inside.
  if (meta !== undefined) return { signals: [meta, ...all], choices: [] };
  if (
    opening !== undefined &&
    opening !== first &&
    !(mild !== undefined && isSameWork(opening.verb, told.verb)) &&
    !keepsBooks(tool, opening) &&
    raises(opening, first) &&
    !(isGetter(name) && TIERS[opening.tier].issuesSecrets) &&
    !(settled && isOpen(opening))
  )
    all.push(opening);
  const insists = rare !== undefined && rare.weight > ENOUGH_CONFIDENCE && TIERS[rare.tier].asks;
  if (rare !== undefined && rare !== first && (insists || raises(rare, first))) all.push(rare);
  // The object in a title is that of the name, in other words.
  const retold =
    (titled?.reason.code === 'object' && named !== undefined) ||
    (mild !== undefined && titled?.verb === told.verb);
  // Further on in a title, the word is as likely a noun: "Wrap-up", "End-to-end".
  const leadsTitle = titled?.verb === undefined || toWords(title)[0] === titled.verb;
  if (titled !== undefined && titled !== first && !retold && leadsTitle && raises(titled, first))
    all.push(titled);
  const own = first.act === 'move' ? description.replaceAll(LEAVES, '') : description;
  const said = [...readPhrases(own, looks), ...readAssertions(own, looks)];
  const muted = mutedBy(tool);
  all.push(...said.filter(({ act }) => !(act === 'put' && muted.size > 0)), ...readLetOut(tool));
  if (instructions !== undefined) all.push(instructions);
  if (named === undefined && !settled && (opening === undefined || isOpen(opening)))
    all.push(...readListed(description));
  // `apply_template {action: preview | send}`: what can be chosen is done all the same.
  all.push(...asksOf(choices));
  const taken = looks ? readOutput(parameters) : readTaken(tool);
  all.push(...taken.filter(({ act }) => !muted.has(act)));
  all.push(...readBilled(tool, first), ...readReplacing(tool, first));
  if (settled)
    all.push(...choices.flatMap(({ signal: one }) => (one && !TIERS[one.tier].asks ? one : [])));
  const gravest = all.reduce((a, b) => (isBetterTold(a, b) ? a : graverSignal(a, b)));
  return { signals: [gravest, ...all.filter((other) => other !== gravest)], choices };
}

/** The same verb, or another for a small change. */
function isSameWork(a = '', b = ''): boolean {
  return a === b || (CHANGES.has(a) && CHANGES.has(b));
}
const CHANGES = new Set('update edit modify patch rename'.split(' '));

/** What the parameters show, but not that an amount in a record is paid. */
function readTaken(tool: ToolText): readonly Signal[] {
  const found = [...readSchema(tool.parameters, tool.name), ...readForwarding(tool.parameters)];
  return found.some(({ act }) => act === 'spend') && keepsAmount(tool)
    ? found.filter(({ act }) => act !== 'spend')
    : found;
}

/** Every choice is known, apart from what is only looked at: `current`, `status`. */
function isSettled(choices: readonly Choice[]): boolean {
  const known = choices.filter((one) => one.signal !== undefined);
  const rest = choices.filter((one) => one.signal === undefined);
  return (
    known.length > 0 &&
    rest.every(({ value }) => SHOWN.has(String(value)) || RESULTS.has(toSingular(String(value))))
  );
}
const SHOWN = new Set('current all active default none auto me self my'.split(' '));

/** What the name says for sure is not replaced by a guess from elsewhere that asks no more. */
function isBetterTold(a: Signal, b: Signal): boolean {
  return TIERS[a.tier].asks && TIERS[b.tier].asks && a.weight >= 0.9 && b.weight <= 0.6;
}

/** `get_x` may send a request; that is how it gets it. */
function isGetter(name: string): boolean {
  return ['get', 'list'].includes(toWords(name)[0] ?? '');
}

function isOpen({ reason }: Signal): boolean {
  return reason.code === 'open-ended';
}

/** `terminal`: "Run something in the terminal". What is run is not known to be harmless. */
function runsAnything({ name, description }: ToolText, { act, verb }: Signal): boolean {
  if (act !== 'compute' || verb === 'evaluate') return false;
  const [sentence = ''] = description.split(/[.\n]/);
  return !toWords(`${sentence} ${name}`).some((word) => HARMLESS.has(toSingular(word)));
}

function vaguer(one: Signal): Signal {
  return { ...one, weight: Math.min(one.weight, LOOSE) };
}

/** Nothing that could be read says what it does. */
function isUnknown({ reason }: Signal): boolean {
  return reason.code === 'noun-only' || reason.code === 'unreadable';
}

/** A name whose only verb may be a noun yields to a description of a read, unless that may be a noun as well. */
function decides(named: Signal | undefined, opening: Signal | undefined): boolean {
  if (named === undefined) return false;
  const yields =
    opening !== undefined &&
    TIERS[opening.tier].readsOnly &&
    (opening.weight >= FIRM || !TIERS[named.tier].asks);
  return named.weight > LOOSE || !yields;
}

/**
 * `result_record`: "Record results". What may be a noun in the name is used as a verb, or is a small thing that
 * the description makes: `page_note`: "Add a note".
 */
function isConfirmed(named: Signal | undefined, opening: Signal | undefined): boolean {
  if (named === undefined || opening === undefined) return false;
  if (named.weight > LOOSE || TIERS[named.tier].asks) return false;
  if (opening.verb === named.verb) return opening.act === named.act;
  // Of larger things, the word before may be a verb that is not known: `rollover_index`.
  return (
    MARKERS.has(named.verb ?? '') && MAKES.has(opening.verb ?? '') && opening.tier === named.tier
  );
}

function readReplacing({ name, parameters }: ToolText, first: Signal): readonly Signal[] {
  const isFile = isOfFile(name) && WRITES.has(first.verb ?? 'write');
  if (!REWRITES.has(first.act)) return [];
  const all = replacesAll(parameters);
  if (!all && !replacesContent(parameters, isFile)) return [];
  const text = all
    ? 'it takes what replaces all that is there'
    : 'it takes a location and its content, and nothing preserves the old content';
  const reason = { code: 'replaces-content', source: 'schema', text } as const;
  return [signal('put', 0.7, reason, 'destructive')];
}
const REWRITES = new Set(['put', 'update', 'set']);
/** `split_pdf` writes other files. */
const WRITES = new Set(
  'write save store rewrite put update edit modify patch change set'.split(' '),
);

function readBilled({ name, parameters }: ToolText, first: Signal): readonly Signal[] {
  if (first.act !== 'create' || !choosesPlan(parameters)) return [];
  if (!toWords(name).some((word) => HOSTED.has(toSingular(word)))) return [];
  const text = 'it makes something hosted and takes a plan, a size or a region';
  return [signal('spend', 0.6, { code: 'parameter', source: 'schema', text })];
}

/** A description raises what the name says; for a plain read, only to a tier that asks. */
function raises(opening: Signal, first: Signal): boolean {
  if (TIERS[opening.tier].severity <= TIERS[first.tier].severity) return false;
  if ((PRECISE.has(first.verb ?? '') || takesBack(first)) && !GRAVE.has(opening.verb ?? ''))
    return false;
  // The same word again, of an object that the name says better.
  if (opening.verb !== undefined && opening.verb === first.verb) {
    if (TIERS[first.tier].readsOnly && opening.act === 'share') return false;
    if (first.reason.code === 'object' && isOwnAct(opening)) return false;
  }
  // Another word for what the name says.
  if (first.verb === 'create' && opening.verb === 'provision') return false;
  if (first.weight < FIRM) return opening.weight >= 0.5;
  // What is made may be a message; what is uploaded or moved is what it is.
  if (!TIERS[first.tier].readsOnly)
    return opening.weight >= (MAKES.has(first.verb ?? '') ? 0.5 : 0.6);
  return opening.weight >= FIRM && TIERS[opening.tier].asks;
}

/** `untrash_message`: "Remove a message from the trash". */
function takesBack({ verb = '', act }: Signal): boolean {
  return act === 'update' && /^un[a-z]{3}/.test(verb);
}

/** It takes something away, by its verb and not by its object. */
function isOwnAct({ verb = '', act }: Signal): boolean {
  return VERBS.get(verb)?.act === act && ACTS[act].change === 'removes';
}

const MAKES = new Set(['create', 'add', 'make', 'new']);
const MARKERS = new Set('note tag label bookmark comment'.split(' '));

/** What is moved is no longer where it was. */
const LEAVES =
  /\b(?:(?:and|then) )?(?:removes?|deletes?|removing|deleting) (?:it|them|the (?:original|source|old))\b/gi;

/** They say what is done; other words for it ("Send a card to the archive") add nothing. */
const PRECISE = new Set(
  `archive unarchive dismiss pause resume close reopen begin mark move rename reorder sort copy duplicate assign
  unassign pin unpin star unstar follow unfollow mute unmute like unlike approve decline snooze annotate select
  navigate click hover scroll type fill drag press zoom group ungroup align highlight react vote focus toggle undo
  redo bookmark label tag unrepost unretweet unreact logout`.split(/\s+/),
);
/** Unless these do. */
const GRAVE = new Set(
  `delete destroy erase wipe purge terminate kill revoke pay charge buy purchase publish execute overwrite`.split(
    ' ',
  ),
);

/** `write_file`, `file_save`: a whole file is written. */
function isOfFile(name: string): boolean {
  const words = toWords(name);
  return words.length <= 3 && words.some((word) => FILES.has(word));
}
const FILES = new Set(['file', 'pdf', 'csv', 'xlsx', 'docx']);
