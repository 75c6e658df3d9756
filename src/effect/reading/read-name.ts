/** Reads a tool's name: which verb leads, which nouns follow, in any naming style. */
import type { Act } from '../act.ts';
import { TIERS } from '../tier.ts';
import { VERBS } from './lexicon.ts';
import { actWithObject } from './objects.ts';
import type { Reason, ReasonSource } from './reason.ts';
import type { Signal } from './signal.ts';
import { signal, usualTier } from './signal.ts';
import { toSingular, toWords } from './to-words.ts';

interface Found {
  readonly word: string;
  readonly at: number;
  readonly act: Act;
  readonly firm: boolean;
}

/** Nouns of two words, one of which would pass for a verb. */
const COMPOUNDS =
  /(pull|merge|check|test|workflow|fine|top)[_\-. ]?(requests?|runs?|suites?|tun(?:e|ing)|up)(?![a-z])/gi;

/** Verbs that are told at the head of a word written without any boundary: `deleteuser`. */
const GLUED =
  /^(get|list|send|delete|create|update|remove|search|fetch|flush|destroy|purge|cancel)[a-z]{2,}/;
/** `text_to_speech`: work that vendors bill by the piece. */
const CONVERSION = /^(?:speech|image|video|audio|music|voice|song)$/;

const JOINS = new Set(['and', 'or', 'then']);

/** What the name says, or nothing when no word of it is a known verb. */
export function readName(name: string, source: ReasonSource = 'name'): Signal | undefined {
  const words = toWords(name.replaceAll(COMPOUNDS, '$1$2'));
  const found = words.flatMap((word, at): Found[] => {
    const verb = VERBS.get(word);
    return verb === undefined ? [] : [{ word, at, ...verb }];
  });
  const lead = leadOf(found, words) ?? gluedVerb(words);
  if (lead === undefined) return undefined;
  const meant = [lead, ...joinedTo(lead, found, words)].map((verb) => read(verb, words, source));
  return meant.reduce((a, b) => (TIERS[b.tier].severity > TIERS[a.tier].severity ? b : a));
}

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

/** A firm verb goes before a loose one; of several the first, as later ones are mostly nouns. */
function leadOf(found: readonly Found[], words: readonly string[]): Found | undefined {
  const [head] = found;
  if (head?.at === 0 && LOOKING.has(head.word) && !isResource(words))
    return { ...head, firm: true };
  const firm = found.find((verb) => verb.firm);
  if (firm !== undefined) return firm;
  const edge = found.find((verb) => verb.at === 0 || verb.at === words.length - 1) ?? head;
  if (edge === undefined || !RESULTS.has(toSingular(words.at(-1) ?? ''))) return edge;
  return { ...edge, act: 'read' };
}

/** Loose verbs that are firm at the head of a name. */
const LOOKING = new Set(['list', 'query', 'status', 'test', 'log', 'filter', 'help']);

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
  `status list history detail info book count quote stat summary report log price rate fee estimate
  balance schema preview template result type metric usage limit search query
  tree matrix elevation direction top overview version weather forecast reader metadata`.split(
    /\s+/,
  ),
);

/** `get_or_create`, `search_and_replace`: what a joining word adds to the leading verb. */
function joinedTo(
  lead: Found,
  found: readonly Found[],
  words: readonly string[],
): readonly Found[] {
  return found.filter((verb) => verb.at > lead.at && JOINS.has(words[verb.at - 1] ?? ''));
}

function read(verb: Found, words: readonly string[], source: ReasonSource): Signal {
  const nouns = words.filter((_, at) => at !== verb.at).map(toSingular);
  const other = actWithObject(verb.word, nouns);
  const act = other ?? verb.act;
  const reason: Reason = {
    code: other === undefined ? 'verb' : 'object',
    source,
    text:
      other === undefined
        ? `"${verb.word}" in the ${source} means ${act}`
        : `"${verb.word}" with "${nouns.join(' ').slice(0, 60)}" in the ${source} means ${other}`,
  };
  const edge = other !== undefined || (verb.at === 0 && words.length > 1);
  return signal(act, verb.firm ? 0.9 : edge ? 0.6 : 0.4, reason, usualTier(act));
}
