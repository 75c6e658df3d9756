/**
 * Objects that parameters, or the rest of the text, show to be milder than their name: a key that is renamed,
 * an export into a file, a request that is shown.
 */
import type { Parameters } from './read-parameters.ts';
import { findOutput } from './read-schema.ts';
import type { Signal } from './reason.ts';
import { signal } from './reason.ts';
import { toWords } from './to-words.ts';

interface NamedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: Parameters;
}

/** The milder meaning of what the name was read as, if there is one. */
export function readMildObject(tool: NamedTool, told: Signal): Signal | undefined {
  if (renames(tool, told)) return RENAMES;
  if (keepsBooks(tool) && told.act === 'spend' && told.reason.code === 'object') return BOOKED;
  if (answersComment(tool, told)) return ANSWERS;
  if (showsRequest(tool, told)) return SHOWN;
  if (dropsDragged(tool, told)) return DRAGGED;
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
/** Drawn or counted for the one who asks. */
const PICTURES = new Set(
  'png svg jpg jpeg gif webp thumbnail image picture chart diagram insights metrics statistics'.split(
    ' ',
  ),
);
const EXPORTS: Signal = signal('create', 0.6, {
  code: 'writes-file',
  source: 'name',
  text: 'it exports into a file or into its answer',
});

/** `create_transaction {payee, category_id, memo}`: written down after the money has moved. */
export function keepsBooks({ name, parameters: { names } }: NamedTool): boolean {
  if (!toWords(name).some((word) => BOOKED_THINGS.has(word))) return false;
  const keys = [...names];
  return keys.some((key) => IN_BOOKS.test(key)) && !keys.some((key) => PAID_TO.test(key));
}
const BOOKED_THINGS = new Set('transaction transactions expense expenses deposit entry'.split(' '));
const IN_BOOKS = /^(?:payee(?:_\w+)?|budget_id|category_id|txn_date|account_code|cleared)$/;
const PAID_TO =
  /^(?:to|to_\w+|recipient\w*|destination\w*|iban|address|token|currency|payment_method(?:_id)?|card\w*)$/;
const BOOKED: Signal = signal('create', 0.6, {
  code: 'parameter',
  source: 'schema',
  text: 'it takes what is kept in books, and nobody to pay',
});

/** `reply_to_comment {file_id}`: read by those who work on the file. */
function answersComment({ name, parameters: { names } }: NamedTool, { act }: Signal): boolean {
  const words = toWords(name);
  if (act !== 'deliver' || !words.includes('reply')) return false;
  return words.some((word) => COMMENTS.has(word)) && [...names].some((key) => WORKED_ON.test(key));
}
const COMMENTS = new Set(['comment', 'comments', 'discussion']);
const WORKED_ON =
  /^(?:file|document|doc|page|issue|task|card|board|design|pull_request|pr|merge_request|spreadsheet|presentation)_(?:id|key|iid|number|token)$/;
const ANSWERS: Signal = signal('create', 0.6, {
  code: 'parameter',
  source: 'schema',
  text: 'it answers a comment on a document',
});

/** `network_request {index}`: "Returns details of a request". One that is sent takes an address or a body. */
function showsRequest(
  { name, description, parameters: { all } }: NamedTool,
  { verb }: Signal,
): boolean {
  const words = toWords(name);
  if (verb !== 'request' || words.at(-1) !== 'request' || words.length < 2) return false;
  if (words.some((word) => SENT.has(word)) || all.some(({ key }) => TO_SEND.test(key)))
    return false;
  return RETURNS.test(description);
}
const SENT = new Set('api http https rest web graphql'.split(' '));
const TO_SEND =
  /(?:^|_)(?:url|uri|endpoint|path|method|body|payload|headers|to|recipients?|message)$/;
const RETURNS =
  /^\s*(?:returns?|lists?|shows?|gets?|retrieves?|fetch(?:es)?|reads?)\b(?!\s+(?:the\s+)?(?:response|result))/i;
const SHOWN: Signal = signal('read', 0.6, {
  code: 'verb',
  source: 'description',
  text: 'it returns a request that was made before',
});

/** `browser_drop`: "as if dragged". What is dropped has a name behind it: `drop_table`. */
function dropsDragged({ name, title, description }: NamedTool, { verb }: Signal): boolean {
  if (verb !== 'drop' || toWords(name).at(-1) !== 'drop') return false;
  return /\bdrag(?:s|ged|ging)?\b/i.test(`${title} ${description.slice(0, 400)}`);
}
const DRAGGED: Signal = signal('update', 0.6, {
  code: 'verb',
  source: 'description',
  text: 'it drops what is dragged',
});

const UPDATES = new Set('update edit modify rename patch'.split(' '));
const ID = /(?:^|_)(?:id|sid|uuid|slug|arn|account|organization|org|team|project|workspace)$/;
const SAID = /^(?:\w+_)?(?:name|title|description|label|color|colour|emoji|icon|note)$/;
export const RENAMES: Signal = signal('update', 0.8, {
  code: 'parameter',
  source: 'schema',
  text: 'it takes an id and a name, so that it renames',
});
