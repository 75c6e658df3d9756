/**
 * What bytes may mean to some parser: parsed as leniently as existing parsers do, with the first or the
 * last of duplicate keys, case-sensitive or not, and split at either line ending.
 */

/** An object keeps all its members, including duplicate keys. */
type Node =
  | { readonly kind: 'object'; readonly members: readonly (readonly [string, Node])[] }
  | { readonly kind: 'array'; readonly items: readonly Node[] }
  | { readonly kind: 'value'; readonly value: string | number | boolean | null };

/** How bytes must be parsed to mean a call: normally, ignoring case, or split into lines. */
type Way = 'plainly' | 'without case' | 'cut into lines';

export interface InferredEffect {
  /** The tools that the bytes call, under any interpretation, and the plainest one that does. */
  readonly called: ReadonlyMap<string, Way>;
  /** Some object has a duplicate key. */
  readonly hasTwins: boolean;
}

const NOTHING: InferredEffect = { called: new Map(), hasTwins: false };
const SPEAKS_OF_CALLS = /call|\\/i;
const LINE_ENDS = /[\r\n]/;

export function readAll(text: string): InferredEffect {
  const called = new Map<string, Way>();
  let hasTwins = false;
  for (const part of [text, ...(LINE_ENDS.test(text) ? text.split(LINE_ENDS) : [])]) {
    if (!SPEAKS_OF_CALLS.test(part)) continue;
    const node = parseLeniently(part);
    if (node === undefined) continue;
    hasTwins ||= findTwins(node);
    for (const message of node.kind === 'array' ? node.items : [node]) {
      addCalls(message, called, part === text ? undefined : 'cut into lines');
    }
  }
  return called.size === 0 && !hasTwins ? NOTHING : { called, hasTwins };
}

function addCalls(message: Node, called: Map<string, Way>, cut: Way | undefined): void {
  for (const folds of [false, true]) {
    for (const takes of ['first', 'last'] as const) {
      const get = (node: Node | undefined, key: string): Node | undefined =>
        memberOf(node, key, takes, folds);
      const method = get(message, 'method');
      if (method?.kind !== 'value' || method.value !== 'tools/call') continue;
      const name = get(get(message, 'params'), 'name');
      const tool = name?.kind === 'value' ? String(name.value) : '';
      if (!called.has(tool)) called.set(tool, cut ?? (folds ? 'without case' : 'plainly'));
    }
  }
}

function memberOf(
  node: Node | undefined,
  wanted: string,
  takes: 'first' | 'last',
  folds: boolean,
): Node | undefined {
  if (node?.kind !== 'object') return undefined;
  const isIt = ([key]: readonly [string, Node]): boolean =>
    key === wanted || (folds && key.toLowerCase() === wanted);
  return (takes === 'first' ? node.members.find(isIt) : node.members.findLast(isIt))?.[1];
}

function findTwins(node: Node): boolean {
  if (node.kind === 'value') return false;
  if (node.kind === 'array') return node.items.some(findTwins);
  const keys = new Set(node.members.map(([key]) => key));
  return keys.size < node.members.length || node.members.some(([, value]) => findTwins(value));
}

/** `undefined` for what no parser accepts, and for what is too deep to matter. */
function parseLeniently(text: string): Node | undefined {
  try {
    return new Lenient(text).document();
  } catch {
    return undefined;
  }
}

const SPACE = /[\s\uFEFF]*/y;
const SCALAR = /[\w.+-]+/y;
const STRING = /"(?:[^"\\]|\\.)*"/suy;

class Lenient {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Anything after the first document is ignored. */
  document(): Node {
    return this.#value();
  }

  #value(): Node {
    this.#take(SPACE);
    const first = this.#text[this.#at];
    if (first === '{') return { kind: 'object', members: this.#list('}', () => this.#member()) };
    if (first === '[') return { kind: 'array', items: this.#list(']', () => this.#value()) };
    if (first === '"') return { kind: 'value', value: this.#string() };
    return { kind: 'value', value: toScalar(this.#take(SCALAR)) };
  }

  #list<T>(end: string, one: () => T): readonly T[] {
    const items: T[] = [];
    this.#at += 1;
    for (;;) {
      this.#take(SPACE);
      if (this.#text[this.#at] === end) break;
      items.push(one());
      this.#take(SPACE);
      if (this.#text[this.#at] === ',') this.#at += 1;
      else if (this.#text[this.#at] !== end) throw new SyntaxError('no list');
    }
    this.#at += 1;
    return items;
  }

  #member(): readonly [string, Node] {
    const key = this.#string();
    this.#take(SPACE);
    if (this.#text[this.#at] !== ':') throw new SyntaxError('no member');
    this.#at += 1;
    return [key, this.#value()];
  }

  #string(): string {
    const found = this.#take(STRING);
    if (found === '') throw new SyntaxError('no string');
    const inner = found.slice(1, -1);
    if (!inner.includes('\\')) return inner;
    // Raw control characters are accepted, as lenient parsers do.
    return JSON.parse(found.replaceAll(/\p{Cc}/gu, ' ')) as string;
  }

  #take(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const [found = ''] = pattern.exec(this.#text) ?? [];
    this.#at += found.length;
    return found;
  }
}

function toScalar(text: string): number | boolean | null {
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === 'null') return null;
  if (text === '' || Number.isNaN(Number(text))) throw new SyntaxError('no value');
  return Number(text);
}
