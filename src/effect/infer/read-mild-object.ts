/**
 * Objects that parameters, or the rest of the text, show to be milder than their name: an entry in books,
 * an export into a file, a request that is shown.
 */
import type { Parameters } from './read-parameters.ts';
import { readRecorded } from './read-recorded.ts';
import { readRenamed } from './read-renamed.ts';
import { findOutput } from './read-schema.ts';
import { SOCIAL } from './nouns.ts';
import type { Signal } from './reason.ts';
import { signal } from './reason.ts';
import { movesMoney, tellsSecrets } from './says-more.ts';
import { toSingular, toWords } from './to-words.ts';

export interface NamedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly parameters: Parameters;
  readonly isPrepared?: boolean;
}

/** The milder meaning of what the name was read as, if there is one. */
export function readMildObject(tool: NamedTool, told: Signal): Signal | undefined {
  const renamed = readRenamed(tool, told);
  if (renamed !== undefined) return renamed;
  if (keepsBooks(tool, told) && told.reason.code === 'object') return BOOKED;
  if (answersComment(tool, told)) return ANSWERS;
  if (showsRequest(tool, told)) return SHOWN;
  if (dropsDragged(tool, told)) return DRAGGED;
  if (typesKeys(tool, told)) return TYPED;
  return exportsHere(tool, told) ? EXPORTS : readRecorded(tool, told);
}

/** `export_csv {output_path}`, `export_table_to_json`: into a file, or into the answer. */
function exportsHere({ name, description, parameters }: NamedTool, told: Signal): boolean {
  const words = toWords(name);
  if (told.act !== 'share' || told.reason.code !== 'verb' || !words.includes('export'))
    return false;
  if (parameters.all.some(({ key }) => ELSEWHERE.test(key))) return false;
  if (tellsSecrets(`${words.join(' ')} ${description}`) || LEAVES.test(description)) return false;
  const converts = words.some(
    (word, at) => PICTURES.has(word) || (FORMATS.has(word) && words[at - 1] === 'to'),
  );
  return converts || findOutput(parameters) !== undefined;
}
const ELSEWHERE =
  /(?:^|_)(?:url|uri|bucket|emails?|recipients?|destination|webhook|drive|channel|share\w*|to|target|host|hostname|server|partner|peer|endpoint|ip|port|gist|repo|repository|slack|dropbox)$|^(?:s3|gcs|ftp|sftp|ssh|remote|cloud|upload)(?:_\w+)?$/;
const LEAVES =
  /\b(?:uploads?|uploaded|publicly|public|partners?|third[ -]part\w+|remote|sends?|sent|emails?|shares?|shared|s3|ftp|sftp)\b/i;
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
export function keepsBooks(
  { name, description, parameters: { names } }: NamedTool,
  { act, verb }: Signal,
): boolean {
  if (act !== 'spend' || !ENTERS.has(verb ?? '') || movesMoney(description)) return false;
  if (!toWords(name).some((word) => BOOKED_THINGS.has(word))) return false;
  const keys = [...names];
  return keys.some((key) => IN_BOOKS.test(key)) && !keys.some((key) => PAID_TO.test(key));
}
const ENTERS = new Set(
  'create add new make insert record log import update edit modify'.split(' '),
);
const BOOKED_THINGS = new Set('transaction transactions expense expenses deposit entry'.split(' '));
/** Whoever is paid has an id as well, so that of a payee says nothing. */
const IN_BOOKS =
  /^(?:payee|payee_name|budget_id|category(?:_id|_name)?|txn_date|account_code|cleared)$/;
const PAID_TO =
  /^(?:to|to_\w+|recipient\w*|beneficiary\w*|destination\w*|(?:\w+_)?(?:iban|bic|swift|wallet|address|routing_number|account_number|bank_account|sort_code)|payee_(?:account|bank|card)\w*|token|currency|payment_method(?:_id)?|card\w*|send\w*|execute\w*)$/;
const BOOKED: Signal = signal('create', 0.6, {
  code: 'parameter',
  source: 'schema',
  text: 'it takes what is kept in books, and nobody to pay',
});

/** `reply_to_comment {file_id}`: read by those who work on the file. */
function answersComment(
  { name, description, parameters: { names } }: NamedTool,
  { act }: Signal,
): boolean {
  const words = toWords(name);
  const told = [...words, ...toWords(description), ...names];
  if (told.some((word) => SOCIAL.has(toSingular(word)) || word === 'publicly')) return false;
  if (act !== 'deliver' || !words.includes('reply')) return false;
  return words.some((word) => COMMENTS.has(word)) && [...names].some((key) => WORKED_ON.test(key));
}
const COMMENTS = new Set(['comment', 'comments', 'discussion']);
const WORKED_ON =
  /^(?:file|document|doc|issue|task|card|board|design|pull_request|pr|merge_request|spreadsheet|presentation)_(?:id|key|iid|number|token)$/;
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

/** `send_keys {keys, element}`: pressed on a page or a device. In a terminal they run what they spell. */
function typesKeys({ name, description, parameters: { all } }: NamedTool, told: Signal): boolean {
  if (told.verb !== 'send' || !KEYS.test(toWords(name).join('_'))) return false;
  if (TYPED_INTO.test(`${name} ${description}`) || KEY_OF.test(description)) return false;
  const isShown = all.some(({ key }) => WHERE.test(key)) || ON_SCREEN.test(description);
  return isShown && all.every(({ key }) => PRESSED.test(key));
}
const KEYS = /(?:^|_)send_(?:keys|key_events?|keystrokes?|keypress(?:es)?)$/;
const TYPED_INTO =
  /terminal|console|shell|tmux|\b(?:tty|pty|repl|ssh|pane|prompt|command|screen session)|stdin/i;
const KEY_OF =
  /\b(?:api|ssh|private|secret|public|licen[cs]e|access|encryption) keys?\b|\bcustomer/i;
const WHERE = /^(?:key_?codes?|element\w*|selector|xpath|locator\w*|ref|device\w*|serial|udid)$/i;
const ON_SCREEN = /\b(?:elements?|pages?|browser|devices?|keyboard|key ?strokes?|input fields?)\b/i;
const PRESSED =
  /^(?:keys?|key_?codes?|key_?names?|keystrokes?|text|value|events?|element\w*|selector|xpath|by|using|locator\w*|ref|modifiers?|meta_?states?|flags|delay\w*|timeout\w*|repeat|count|hold\w*|long_?press|clear\w*|window\w*|tab\w*|page\w*|device\w*|serial|udid|app\w*|driver\w*|action|duration\w*)$/i;
const TYPED: Signal = signal('update', 0.6, {
  code: 'parameter',
  source: 'schema',
  text: 'it presses keys on a page or a device',
});
