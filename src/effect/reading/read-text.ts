/**
 * Weighs what name, title, description and schema say together. The name leads; the others raise
 * what it says, and decide only where it says nothing.
 */
import { TIERS } from '../tier.ts';
import { VERBS } from './lexicon.ts';
import { readInstructions, readOpening, readPhrases, saysReadOnly } from './read-description.ts';
import { readName, RESULTS } from './read-name.ts';
import type { Parameters } from './read-schema.ts';
import { readSchema, replacesContent, runsCode } from './read-schema.ts';
import type { Signal } from './signal.ts';
import { graverSignal, signal } from './signal.ts';
import { toSingular, toWords } from './to-words.ts';

/** A name that weighs no more than this leaves the word to the description. */
const LOOSE = 0.4;
/** A read that weighs less is not beyond what its parameters say. */
const FIRM = 0.7;

export interface ToolText {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: Parameters;
}

/** The signal that decides first, then those that agree or raise it. */
export function readText(tool: ToolText): readonly [Signal, ...Signal[]] {
  const { name, title, description, parameters } = tool;
  const named = readName(name);
  const opening = readOpening(description);
  const yields = opening !== undefined && TIERS[opening.tier].looksOnly;
  const decides = named !== undefined && (named.weight > LOOSE || !yields);
  const first = (decides ? named : opening) ?? readName(title, 'title') ?? guess(tool);
  const looks = TIERS[first.tier].looksOnly && first.weight >= FIRM;
  const all: Signal[] = [first];
  const code = readCode(tool, first);
  if (code !== undefined) all.push(code);
  if (opening !== undefined && opening !== first && raises(opening, first)) all.push(opening);
  all.push(...readPhrases(description, looks));
  const instructions = readInstructions(description);
  if (instructions !== undefined) all.push(instructions);
  if (!looks && !isDraft(name)) all.push(...readSchema(parameters));
  if (REWRITES.has(first.act) && replacesContent(parameters, isOfFile(name))) {
    const text = 'it takes a place and its content, and nothing keeps what was there';
    all.push(
      signal('put', 0.7, { code: 'replaces-content', source: 'schema', text }, 'destructive'),
    );
  }
  const gravest = all.reduce(graverSignal);
  return [gravest, ...all.filter((other) => other !== gravest)];
}

const REWRITES = new Set(['put', 'update', 'set']);
const RUNNERS = new Set([
  'run',
  'execute',
  'exec',
  'eval',
  'evaluate',
  'invoke',
  'script',
  'shell',
  'graphql',
]);
const ASKERS = new Set(['query', 'sql', 'statement', 'cypher']);
const LOOKS = new Set([
  'dry',
  'read',
  'readonly',
  'select',
  'explain',
  'validate',
  'format',
  'lint',
  'parse',
]);
const DATABASE =
  /\b(?:sql|database|cypher|ddl|dml|insert|postgres\w*|sqlite|table|graphql|mutation)\b/i;

/** Code, SQL or a shell command as an argument can do whatever the process may. */
function readCode({ name, description, parameters }: ToolText, first: Signal): Signal | undefined {
  const words = toWords(name);
  if (words.some((word) => LOOKS.has(word))) return undefined;
  const runs = words.some((word) => RUNNERS.has(word));
  const asks = words.some((word) => ASKERS.has(word)) && !words.some(isFirmRead);
  const open = runs || (asks && !saysReadOnly(description));
  if (TIERS[first.tier].looksOnly && first.weight >= FIRM && !open) return undefined;
  const isQuery = parameters.names.has('query');
  const query = open && isQuery && DATABASE.test(`${toWords(name).join(' ')} ${description}`);
  if (!query && !runsCode(parameters, open && !isQuery)) return undefined;
  const text = 'it takes code, SQL or a command, and runs it as it stands';
  return signal('delete', 0.8, { code: 'runs-code', source: 'schema', text });
}

function isFirmRead(word: string): boolean {
  const verb = VERBS.get(word);
  return verb?.firm === true && verb.act === 'read';
}

/** A draft names its recipients and reaches nobody yet. */
function isDraft(name: string): boolean {
  return toWords(name).some((word) => word === 'draft' || word === 'drafts');
}

/** A description raises what the name says; a name that plainly reads only to what asks. */
function raises(opening: Signal, first: Signal): boolean {
  if (TIERS[opening.tier].severity <= TIERS[first.tier].severity) return false;
  if (!TIERS[first.tier].looksOnly || first.weight < FIRM) return opening.weight >= 0.5;
  return opening.weight >= FIRM && TIERS[opening.tier].asks;
}

/** `write_file`, `file_save`: what is written is a file as a whole. */
function isOfFile(name: string): boolean {
  const words = toWords(name);
  return words.length <= 3 && words.includes('file');
}

/** No verb that is known. Noun phrases mostly name what is returned; an unknown imperative may do anything. */
function guess({ name, description }: ToolText): Signal {
  const names = RESULTS.has(toSingular(toWords(name).at(-1) ?? ''));
  if (names || (description.trim() !== '' && name !== '' && !IMPERATIVE.test(description))) {
    const text = 'neither name nor description has a verb; both name a thing';
    return signal('read', 0.3, { code: 'noun-only', source: 'name', text });
  }
  const text = 'nothing tells what it does';
  return signal('delete', 0.1, { code: 'unreadable', source: 'name', text });
}

/** One word and an article: `Frobnicates the disk`. */
const IMPERATIVE =
  /^\s*(?!wh|how|all|each|every|both)[a-z]+ (?:an?|the|all|your|this|these|existing|multiple)\s/i;
