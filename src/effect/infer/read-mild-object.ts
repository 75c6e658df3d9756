/** Objects that parameters show to be milder than their name: a key that is renamed, an export into a file. */
import type { Parameters } from './read-parameters.ts';
import { findOutput } from './read-schema.ts';
import type { Signal } from './reason.ts';
import { signal } from './reason.ts';
import { toWords } from './to-words.ts';

interface NamedTool {
  readonly name: string;
  readonly parameters: Parameters;
}

/** The milder meaning of what the name was read as, if there is one. */
export function readMildObject(tool: NamedTool, told: Signal): Signal | undefined {
  if (renames(tool, told)) return RENAMES;
  return exportsHere(tool, told) ? EXPORTS : undefined;
}

/** `update_key {id, name}`: an id and words for people. */
function renames({ name, parameters: { all } }: NamedTool, { act, reason }: Signal): boolean {
  if (reason.code !== 'object' || (act !== 'share' && act !== 'spend')) return false;
  if (!toWords(name).some((word) => UPDATES.has(word))) return false;
  return (
    all.length > 1 &&
    all.every(({ key }) => ID.test(key) || SAID.test(key)) &&
    all.some(({ key }) => SAID.test(key))
  );
}
/** `export_csv {output_path}`, `export_table_to_json`: into a file, or into the answer. */
function exportsHere({ name, parameters }: NamedTool, { act, reason }: Signal): boolean {
  const words = toWords(name);
  if (act !== 'share' || reason.code !== 'verb' || !words.includes('export')) return false;
  if (parameters.all.some(({ key }) => ELSEWHERE.test(key))) return false;
  const converts = words.some(
    (word, at) => PICTURES.has(word) || (FORMATS.has(word) && words[at - 1] === 'to'),
  );
  return converts || findOutput(parameters) !== undefined;
}
const ELSEWHERE =
  /(?:^|_)(?:url|uri|bucket|email|emails|recipients?|destination|webhook|drive|channel|share\w*)$/;
const FORMATS = new Set('csv json pdf png svg xlsx excel markdown md html xml yaml'.split(' '));
const PICTURES = new Set('png svg jpg jpeg gif webp'.split(' '));
const EXPORTS: Signal = signal('create', 0.6, {
  code: 'writes-file',
  source: 'name',
  text: 'it exports into a file or into its answer',
});

const UPDATES = new Set('update edit modify rename patch'.split(' '));
const ID = /(?:^|_)(?:id|sid|uuid|slug|arn|account|organization|org|team|project|workspace)$/;
const SAID = /^(?:\w+_)?(?:name|title|description|label|color|colour|emoji|icon|note)$/;
export const RENAMES: Signal = signal('update', 0.8, {
  code: 'parameter',
  source: 'schema',
  text: 'it takes an id and a name, so that it renames',
});
