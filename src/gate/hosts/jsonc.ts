/**
 * Reads JSON with comments and trailing commas, as hosts allow it, and keeps where everything stands,
 * so that a text can be edited without touching the rest of it. Never throws.
 */
import type { JsonValue } from '../../lib/json-value.ts';

export type JsoncNode = JsoncObject | JsoncArray | JsoncScalar;

interface Spanned {
  readonly start: number;
  /** Behind the last character. */
  readonly end: number;
}

export interface JsoncObject extends Spanned {
  readonly kind: 'object';
  readonly members: readonly JsoncMember[];
}

export interface JsoncArray extends Spanned {
  readonly kind: 'array';
  readonly items: readonly JsoncItem[];
}

interface JsoncScalar extends Spanned {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
}

export interface JsoncItem {
  readonly value: JsoncNode;
  /** Where its comma stands, if one follows. */
  readonly comma: number | undefined;
}

export interface JsoncMember extends JsoncItem {
  readonly key: string;
  readonly keyStart: number;
}

type JsoncReading =
  | { readonly kind: 'jsonc'; readonly root: JsoncNode }
  | { readonly kind: 'malformed'; readonly line: number; readonly column: number };

const DEPTH_LIMIT = 200;
const BOM = '\u{feff}';

export function readJsonc(text: string): JsoncReading {
  const reader = new Reader(text);
  try {
    return { kind: 'jsonc', root: reader.document() };
  } catch {
    const before = text.slice(0, reader.at).split(/\r\n|\r|\n/);
    return { kind: 'malformed', line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  }
}

/** The last member of a name, which is the one that hosts see. */
export function memberOf(node: JsoncNode | undefined, key: string): JsoncMember | undefined {
  if (node?.kind !== 'object') return undefined;
  return node.members.findLast((member) => member.key === key);
}

export function valueOf(node: JsoncNode): JsonValue {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'array') return node.items.map((item) => valueOf(item.value));
  return Object.fromEntries(node.members.map(({ key, value }) => [key, valueOf(value)]));
}

const MALFORMED: Error = new Error('malformed');
const SPACE = /(?:[ \t\r\n]+|\/\/[^\r\n]*|\/\*[^]*?\*\/)*/y;
// oxlint-disable-next-line no-control-regex -- JSON strings hold none
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*"/y;
const LITERAL = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;

class Reader {
  readonly #text: string;
  at: number;

  constructor(text: string) {
    this.#text = text;
    this.at = text.startsWith(BOM) ? 1 : 0;
  }

  document(): JsoncNode {
    const root = this.#value(0);
    this.#space();
    if (this.at !== this.#text.length) throw MALFORMED;
    return root;
  }

  #value(depth: number): JsoncNode {
    this.#space();
    if (depth > DEPTH_LIMIT) throw MALFORMED;
    const start = this.at;
    if (this.#take('{')) {
      const members = this.#list('}', () => this.#member(depth));
      return { kind: 'object', start, end: this.at, members };
    }
    if (this.#take('[')) {
      const items = this.#list(']', () => ({ value: this.#value(depth + 1) }));
      return { kind: 'array', start, end: this.at, items };
    }
    const isString = this.#text[start] === '"';
    const value = JSON.parse(this.#match(isString ? STRING : LITERAL)) as JsoncScalar['value'];
    return { kind: 'scalar', start, end: this.at, value };
  }

  #member(depth: number): Omit<JsoncMember, 'comma'> {
    const keyStart = this.at;
    const key = JSON.parse(this.#match(STRING)) as string;
    this.#space();
    if (!this.#take(':')) throw MALFORMED;
    return { key, keyStart, value: this.#value(depth + 1) };
  }

  #list<T extends object>(close: string, one: () => T): (T & Pick<JsoncItem, 'comma'>)[] {
    const all: (T & Pick<JsoncItem, 'comma'>)[] = [];
    for (;;) {
      this.#space();
      if (this.#take(close)) return all;
      if (all.length > 0 && all.at(-1)?.comma === undefined) throw MALFORMED;
      const part = one();
      this.#space();
      const comma = this.#text[this.at] === ',' ? this.at : undefined;
      if (comma !== undefined) this.at += 1;
      all.push({ ...part, comma });
    }
  }

  #take(character: string): boolean {
    if (this.#text[this.at] !== character) return false;
    this.at += 1;
    return true;
  }

  #space(): void {
    SPACE.lastIndex = this.at;
    SPACE.test(this.#text);
    this.at = SPACE.lastIndex;
  }

  #match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.#text);
    if (found === null || found[0] === '') throw MALFORMED;
    this.at = pattern.lastIndex;
    return found[0];
  }
}
