/** Finds the verb that leads a name, and the words that only look like one. */
import type { Act } from '../act.ts';
import { VERBS } from './lexicon.ts';
import { toSingular } from './to-words.ts';

export interface Found {
  readonly word: string;
  readonly at: number;
  readonly act: Act;
  readonly firm: boolean;
}

/** Verbs recognized at the start of a word without boundaries: `deleteuser`. */
const GLUED =
  /^(get|list|send|delete|create|update|remove|search|fetch|flush|destroy|purge|cancel|drop|clear|execute|publish|transfer|withdraw)[a-z]{2,}/;
/** `text_to_speech`: work that vendors bill per piece. */
const CONVERSION = /^(?:speech|image|video|audio|music|voice|song)$/;

/** The leading one of the verbs that were found among these words of a name. */
export function findLead(
  name: string,
  words: readonly string[],
  found: readonly Found[],
): Found | undefined {
  return (
    lastOfPath(name, words, found) ??
    coreAfterPrefix(words, found) ??
    doerOf(words, found) ??
    leadOf(found, words) ??
    gluedVerb(words)
  );
}

/** `orders.archive.estimate`: in a path the last part says what is done to those before it. */
function lastOfPath(
  name: string,
  words: readonly string[],
  found: readonly Found[],
): Found | undefined {
  const [, end] = /[./]([a-z]+)$/i.exec(name) ?? [];
  const last = found.at(-1);
  if (last?.firm !== true || last.at !== words.length - 1) return undefined;
  return last.word === end?.toLowerCase() ? last : undefined;
}

/** `outreach_search_prospects`: if the second word is a plain verb, the first is the server's name. */
function coreAfterPrefix(words: readonly string[], found: readonly Found[]): Found | undefined {
  const [first, second] = found;
  if (first?.at !== 0 || CORE.has(first.word) || WEIGHS.has(first.word)) return undefined;
  // `edit_send`: what is edited has the name of an act.
  if (PLAIN.has(first.word)) return undefined;
  if (second?.at !== 1) return undefined;
  // `purge_list`: no server is called that. A market may be: `buy_search_items`.
  const isShop = first.act === 'spend' && words.length > 2;
  if (isUnmistakable(first.word) && !isShop) return undefined;
  return CORE.has(second.word) || LOOKS.has(second.word) ? second : undefined;
}
/** They look, and are never nouns that the first could be done to. */
const LOOKS = new Set(
  'compare describe analyze analyse validate inspect explain retrieve calculate summarize summarise'.split(
    ' ',
  ),
);
export const CORE: ReadonlySet<string> = new Set(
  'get list search find fetch read create update delete add remove set send'.split(' '),
);

/** Grave verbs that are hardly ever a noun or a name. */
export const UNMISTAKABLE: ReadonlySet<string> = new Set(
  `delete remove destroy purge erase wipe truncate discard uninstall flush prune evict unregister deregister dismantle
  nuke obliterate expunge revoke suspend deactivate unpublish disable disconnect detach kill terminate cancel abort
  withdraw pay buy sell donate repay redeem publish grant expose send notify transmit delist unlink rm del
  overwrite`.split(/\s+/),
);

export function isUnmistakable(word: string): boolean {
  return UNMISTAKABLE.has(word.replace(/^(?:bulk|batch|mass|multi|auto)(?=[a-z]{3})/, ''));
}

/** `services-reader`: the last word is an agent noun that names the act. */
function doerOf(words: readonly string[], found: readonly Found[]): Found | undefined {
  // `tip_creator`: whom it is done to.
  if (words.length === 2 && found[0]?.at === 0) return undefined;
  const word = words.some((one) => CORE.has(one)) ? undefined : DOERS.get(words.at(-1) ?? '');
  const verb = word === undefined ? undefined : VERBS.get(word);
  if (word === undefined || verb === undefined) return undefined;
  return { word, at: words.length - 1, ...verb };
}
const DOERS: ReadonlyMap<string, string> = new Map(
  `reader:read viewer:view getter:get finder:find fetcher:fetch searcher:search explorer:explore
  inspector:inspect checker:check updater:update writer:write creator:create deleter:delete
  remover:remove sender:send publisher:publish executor:execute runner:run manager:manage`
    .split(/\s+/)
    .map((pair): [string, string] => [pair.split(':')[0] ?? '', pair.split(':')[1] ?? '']),
);

function gluedVerb(words: readonly string[]): Found | undefined {
  for (const [at, word] of words.entries()) {
    const glued = GLUED.exec(word)?.[1];
    const verb = glued === undefined ? undefined : VERBS.get(glued);
    if (glued !== undefined && verb !== undefined)
      return { word: glued, at, act: verb.act, firm: false };
    if (CONVERSION.test(word) && words[at - 1] === 'to')
      return { word: `to ${word}`, at, act: 'spend', firm: false };
  }
  return undefined;
}

/** A firm verb wins over a loose one; of several the first, as later ones are mostly nouns. */
function leadOf(found: readonly Found[], words: readonly string[]): Found | undefined {
  const [head] = found;
  // `vendor_ListCall`: nothing that follows a list is done.
  const lists = found.find((verb) => LISTS.has(verb.word) && verb.at < words.length - 1);
  if (lists !== undefined && found.every((verb) => verb === lists || isThing(verb, lists)))
    return { ...lists, act: 'read', firm: true };
  if (head?.at === 0 && LOOKING.has(head.word) && !isResource(words))
    return { ...head, firm: true };
  // `log_meal` writes an entry; `git_log` shows them.
  if (head?.at === 0 && head.word === 'log' && words.length > 1 && found.length === 1)
    return { ...head, act: 'append', firm: true };
  if (head !== undefined && asksPrice(head, words)) return { ...head, act: 'read', firm: true };
  // `leave_group`, `share_draft`: what the first is done to has the name of an act.
  const object = found.length === 2 && words.length === 2 ? found[1] : undefined;
  if (head !== undefined && object !== undefined && GRAVE_LOOSE.has(head.act) && !head.firm)
    if (NOUNY.has(object.word) && object.word !== 'set') return head;
  const firm = found.find((verb) => verb.firm);
  const tail = found.at(-1);
  if (firm !== undefined && tail !== undefined && endsName(tail, firm, words)) return tail;
  if (firm !== undefined) return firm;
  const last = words.length - 1;
  const looking = found.find((verb) => LOOKING.has(verb.word) && verb.at < last);
  if (looking !== undefined && found.at(-1)?.at !== last) return { ...looking, firm: true };
  const early = head !== undefined && head.at <= 1 && head.at < last ? head : undefined;
  const edge = early ?? found.find((verb) => verb.at === last) ?? head;
  if (edge === undefined || !RESULTS.has(toSingular(words.at(-1) ?? ''))) return edge;
  // A status is what is posted.
  if (edge.word === 'post' && words.at(-1) === 'status') return edge;
  if (isMailed(edge, words)) return edge;
  return { ...edge, act: 'read' };
}

/** `email_summary`: what is told may as well be what is sent. */
export function isMailed(
  { word, at }: Pick<Found, 'word' | 'at'>,
  words: readonly string[],
): boolean {
  return at === 0 && MAILS.has(word) && MAILED.has(toSingular(words.at(-1) ?? ''));
}
const MAILS = new Set('email mail fax sms message tweet post dm'.split(' '));
const MAILED = new Set(
  'report summary quote estimate overview forecast result guide instruction documentation'.split(
    ' ',
  ),
);

const GRAVE_LOOSE: ReadonlySet<Act> = new Set<Act>(['share', 'deliver', 'cancel', 'revoke']);

/** `swap_quote`: what is told of it. */
function asksPrice({ word, at, act }: Found, words: readonly string[]): boolean {
  // `cancel_order_status`; a quote can be cancelled itself.
  if (at <= 1 && TRACKED.has(act) && COURSE.has(words.at(-1) ?? '')) return true;
  return at === 0 && words.length === 2 && PRICED.has(word) && TOLD.has(words[1] ?? '');
}
const TRACKED: ReadonlySet<Act> = new Set<Act>(['cancel', 'spend', 'refund']);
const COURSE = new Set(['status', 'history']);
const PRICED = new Set('swap bridge claim train power stake burn mint drop stop invite'.split(' '));
const TOLD = new Set(
  'quote quotes status estimate history info stats details rate rates usage times routes departures'.split(
    ' ',
  ),
);

const LISTS = new Set(['list', 'get']);

/** What is listed, or a word before it that may be a noun. */
function isThing(verb: Found, lists: Found): boolean {
  return verb.at > lists.at ? !TENDS.has(verb.word) : !verb.firm || THINGS.has(verb.word);
}

/** `build_delete`: the last verb is the act, and the first is its object. */
function endsName(tail: Found, first: Found, words: readonly string[]): boolean {
  if (!tail.firm || tail.at !== words.length - 1 || WEIGHS.has(first.word)) return false;
  if (saysHow(first, tail, words)) return false;
  // `create_override`: what is made has the name of an act.
  if (PLAIN.has(first.word) && THINGS.has(tail.word)) return false;
  // `run_complete`: a run is what is completed.
  if (first.word === 'run' && COMPLETES.has(tail.word)) return true;
  const ends = tail.act === 'delete' || tail.act === 'cancel' || tail.act === 'revoke';
  return ends || ((NOUNY.has(first.word) || THINGS.has(first.word)) && tail.act !== 'read');
}

const COMPLETES = new Set('complete upsert close finalize'.split(' '));

/** `send_with_failover`, `add_to_blacklist`: how or where it is done. */
export function saysHow(first: Found, later: Found, words: readonly string[]): boolean {
  if (first.word === 'add' && words[later.at - 1] === 'to') return later.at === words.length - 1;
  return words.slice(first.at, later.at).includes('with');
}

/** Firm verbs that are also objects of other verbs: `draftOrderComplete`, `uploadCreate`. */
export const NOUNY: ReadonlySet<string> = new Set(
  `draft build schedule upload import match profile sample format load copy lock queue process stage
  view commit fork scan score render install set stake claim group`.split(/\s+/),
);

/** `check_delete`, `undo_delete`: these mention a removal and do not perform it. */
const WEIGHS = new Set(
  'get check can undo restore recover confirm preview validate simulate estimate describe explain is has'.split(
    ' ',
  ),
);

/** Loose verbs that are firm at the start of a name. */
const LOOKING = new Set(['list', 'query', 'status', 'test', 'filter', 'help', 'quote']);

/** `list_delete`: a list is what is deleted. */
function isResource(words: readonly string[]): boolean {
  return words.length === 2 && TENDS.has(words[1] ?? '');
}
const TENDS = new Set([
  'create',
  'update',
  'delete',
  'get',
  'add',
  'remove',
  'clear',
  'rename',
  'archive',
]);

/** `order_status`: a loose verb before one of these is a noun. */
export const RESULTS: ReadonlySet<string> = new Set(
  `status list history detail info orderbook count quote stat summary report log price rate fee estimate
  balance schema preview template result type metric usage limit search query
  tree hierarchy matrix elevation direction top overview version weather forecast reader metadata format
  option catalog catalogue pricing quota doc documentation guide guideline instruction example changelog`.split(
    /\s+/,
  ),
);

/** `update_broadcast`: after these, it is what is changed. */
export const PLAIN: ReadonlySet<string> = new Set(
  'create update edit duplicate copy clone modify patch rename add set'.split(' '),
);

/** Grave verbs that are as often nouns: a route has a stop, an account a claim. */
export const THINGS: ReadonlySet<string> = new Set(
  `power claim sign stop clean empty wrap bridge train override drop void burn settle swap
  control respond tunnel permit vacuum exercise harvest pay manage dispatch drain restart`.split(
    /\s+/,
  ),
);
