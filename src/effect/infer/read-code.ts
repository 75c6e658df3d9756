/** Tells of a tool that runs what it is given: code, SQL or a shell command can do whatever the process may. */
import { TIERS } from '../tier.ts';
import { VERBS } from './lexicon.ts';
import type { Parameters } from './read-parameters.ts';
import { runsCode } from './read-schema.ts';
import type { Signal } from './reason.ts';
import { signal } from './reason.ts';
import { toWords } from './to-words.ts';

interface Text {
  readonly name: string;
  readonly description: string;
  readonly parameters: Parameters;
}

const RUNNERS = words('run execute exec eval evaluate invoke script shell graphql');
const ASKERS = words('query sql statement cypher');
/** Names that promise to look at code and not to run it. */
const LOOKS = words('dry read readonly select explain validate format lint parse analyze check');
/** What is asked of these is watched, not kept. */
const WATCHED = words(
  'log logs metric metrics trace traces event events doc docs analytics insights',
);
const DATABASE =
  /\b(?:sql|database|cypher|ddl|dml|insert|postgres\w*|sqlite|table|graphql|mutation)\b/i;
const FIRM = 0.7;

export function readCode(
  { name, description, parameters }: Text,
  named: Signal | undefined,
): Signal | undefined {
  const parts = toWords(name);
  if (parts.some((word) => LOOKS.has(word))) return undefined;
  const open =
    parts.some((word) => RUNNERS.has(word)) ||
    (parts.some((word) => ASKERS.has(word)) &&
      !parts.some((word) => isFirmRead(word) || WATCHED.has(word)));
  const looks = named !== undefined && TIERS[named.tier].readsOnly && named.weight >= FIRM;
  if (looks && !open) return undefined;
  const graph = parameters.names.has('query') && parameters.names.has('variables');
  const asks = parameters.names.has('query');
  const query = open && asks && DATABASE.test(`${parts.join(' ')} ${description}`);
  if (!query && !graph && !runsCode(parameters, open && !asks)) return undefined;
  const text = 'it takes code, SQL or a command, and runs it as it stands';
  return signal('delete', 0.8, { code: 'runs-code', source: 'schema', text });
}

function isFirmRead(word: string): boolean {
  const verb = VERBS.get(word);
  return verb?.firm === true && verb.act === 'read';
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
