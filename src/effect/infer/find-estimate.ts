/** Finds, in a server's own list, the tool that estimates what another one costs before it is called. */
import { VERBS } from './lexicon.ts';
import { readName } from './read-name.ts';
import { toSingular, toWords } from './to-words.ts';

const PRICES = new Set(
  `estimate estimated estimator quote price pricing cost fee preview simulate simulation prepare rate
  calculate`.split(/\s+/),
);
/** Words that distinguish a price from a preview of anything else. */
const OF_MONEY = new Set(
  'estimate estimated estimator quote price pricing cost fee rate'.split(' '),
);
/** Too common to suggest that two tools are about the same thing. */
const COMMON = new Set(
  'get list create new all by id for of to the a and in my tool api v1 v2'.split(' '),
);

/**
 * The name of the tool that estimates the price of this one, or nothing. Of several the closest, then
 * the first.
 */
export function findEstimate(tools: readonly unknown[], tool: unknown): string | undefined {
  const name = nameOf(tool);
  const wanted = thingsOf(name);
  const { priced, prefix } = pricesIn(tools);
  let best: { readonly name: string; readonly score: number } | undefined;
  for (const other of priced) {
    const score = other.name === name ? 0 : scoreOf(other.words, wanted, prefix);
    if (score > (best?.score ?? 0)) best = { name: other.name, score };
  }
  return best?.name;
}

interface Priced {
  readonly name: string;
  readonly words: readonly string[];
}

interface Prices {
  /** The tools that only look and whose names speak of a price, in order. */
  readonly priced: readonly Priced[];
  readonly prefix: string | undefined;
}

const PRICES_IN = new WeakMap<readonly unknown[], Prices>();

/** More of them than any server has; each is compared with every spend. */
const MOST_PRICED = 200;

/** Kept for as long as the list is: every spend of it is looked up in the same few names. */
function pricesIn(tools: readonly unknown[]): Prices {
  const known = PRICES_IN.get(tools);
  if (known !== undefined) return known;
  const names = tools.map(nameOf);
  const priced: Priced[] = [];
  for (const name of names) {
    const words = toWords(name).map(toSingular);
    if (!words.some((word) => PRICES.has(word)) || readName(name)?.tier !== 'read') continue;
    priced.push({ name, words });
    if (priced.length >= MOST_PRICED) break;
  }
  const prices = { priced, prefix: commonPrefix(names) };
  PRICES_IN.set(tools, prices);
  return prices;
}

function scoreOf(
  words: readonly string[],
  wanted: ReadonlySet<string>,
  prefix: string | undefined,
): number {
  const shared = words.filter((word) => wanted.has(word) && word !== prefix && !PRICES.has(word));
  if (shared.length > 0)
    return 2 * shared.length + (words.some((word) => OF_MONEY.has(word)) ? 1 : 0);
  // `get_cost` or `estimate` alone covers whatever this server charges for.
  const bare = words.every((word) => PRICES.has(word) || COMMON.has(word) || word === prefix);
  return bare && words.some((word) => OF_MONEY.has(word)) ? 1 : 0;
}

/** The words of a name that say what it is about: verbs that double as things (`order`, `swap`) count. */
function thingsOf(name: string): ReadonlySet<string> {
  const words = toWords(name).map(toSingular);
  return new Set(words.filter((word) => !COMMON.has(word) && VERBS.get(word)?.act !== 'read'));
}

/** A first word that most names of the list begin with is the server's own. */
function commonPrefix(names: readonly string[]): string | undefined {
  const firsts = names.map((name) => toWords(name)[0]);
  const [first] = firsts;
  const same = firsts.filter((word) => word === first).length;
  return names.length > 2 && same === names.length ? first : undefined;
}

function nameOf(tool: unknown): string {
  if (typeof tool !== 'object' || tool === null || !('name' in tool)) return '';
  return typeof tool.name === 'string' ? tool.name : '';
}
