/**
 * `tools/list` as bytes, made once for each set of tools that callers can see. The SDK frames and
 * checks an answer with one placeholder tool; the bytes then replace the placeholder, so that ten
 * thousand tools are never serialized again.
 */
import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Convention } from '../effect/convention.ts';
import type { Icon, Operation, Principal } from '../effect/operation.ts';
import type { JsonSchema } from '../effect/schema.ts';
import { missingScopes } from '../effect/operation.ts';
import type { Stamp } from '../effect/stamp.ts';
import { stamp } from '../effect/stamp.ts';

/** Distinct sets cached; scopes come from tokens, so their number must be bounded. */
const MOST_SETS = 128;

interface Placeholder {
  readonly name: string;
  readonly inputSchema: { readonly type: 'object' };
}

export class ToolLists {
  /** The list depends on who asks. */
  readonly isPrivate: boolean;
  readonly #operations: readonly Operation[];
  readonly #entries: readonly string[];
  readonly #prefix = `plimsoll-${randomBytes(12).toString('hex')}-`;
  readonly #keyByScopes = new LRUCache<string, string>({ max: MOST_SETS });
  readonly #bytesByKey = new LRUCache<string, Buffer>({ max: MOST_SETS });

  constructor(operations: readonly Operation[], convention: Convention) {
    this.isPrivate = convention.lists === 'permitted';
    this.#operations = operations;
    this.#entries = operations.map((operation) => JSON.stringify(toTool(operation, convention)));
  }

  /** The placeholder for the tools that this caller sees, for the SDK's answer. */
  placeholderFor(principal: Principal | undefined): readonly Placeholder[] {
    const key = this.#visibleKey(principal?.scopes ?? []);
    if (this.#bytesByKey.get(key) === undefined) {
      const visible = key === 'all' ? this.#entries : this.#entriesOf(key);
      this.#bytesByKey.set(key, Buffer.from(visible.join(',')));
    }
    if (this.#bytesByKey.get(key)?.length === 0) return [];
    return [{ name: this.#prefix + key, inputSchema: { type: 'object' } }];
  }

  /** Inserts the bytes; text without a placeholder is returned unchanged. */
  fillIn(text: string): Buffer {
    const parts: Buffer[] = [];
    const opening = `{"name":"${this.#prefix}`;
    const closing = '","inputSchema":{"type":"object"}}';
    let from = 0;
    for (;;) {
      const start = text.indexOf(opening, from);
      if (start === -1) break;
      const end = text.indexOf(closing, start);
      const bytes = this.#bytesByKey.get(text.slice(start + opening.length, end));
      if (end === -1 || bytes === undefined) break;
      parts.push(Buffer.from(text.slice(from, start)), bytes);
      from = end + closing.length;
    }
    return Buffer.concat([...parts, Buffer.from(text.slice(from))]);
  }

  /** Names a visible set by the indices of its operations. */
  #visibleKey(held: readonly string[]): string {
    if (!this.isPrivate) return 'all';
    const scopes = [...new Set(held)].toSorted().join(' ');
    const known = this.#keyByScopes.get(scopes);
    if (known !== undefined) return known;
    const visible = [...this.#operations.entries()]
      .filter(([, operation]) => missingScopes(operation.scopes, held).length === 0)
      .map(([index]) => index);
    const key = visible.length === this.#operations.length ? 'all' : visible.join('.');
    this.#keyByScopes.set(scopes, key);
    return key;
  }

  #entriesOf(key: string): readonly string[] {
    if (key === '') return [];
    return key.split('.').map((index) => this.#entries[Number(index)] ?? '');
  }
}

/** For a finite answer, such as that to `tools/list`. */
export async function fillIn(lists: ToolLists, response: Response): Promise<Response> {
  const body = lists.fillIn(await response.text());
  const headers = new Headers(response.headers);
  headers.delete('content-length');
  return new Response(body, { status: response.status, headers });
}

/** For an open-ended stream. The SDK writes each event as one chunk. */
export function fillInEvents(lists: ToolLists, response: Response): Response {
  const events = response.body?.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(event, controller) {
        controller.enqueue(lists.fillIn(Buffer.from(event).toString('utf8')));
      },
    }),
  );
  return new Response(events ?? null, { status: response.status, headers: response.headers });
}

/** One operation as its entry in `tools/list`, stamped by the convention. */
interface ToolEntry extends Stamp {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly icons?: readonly Icon[];
}

export function toTool(operation: Operation, convention: Convention): ToolEntry {
  const { title, annotations, _meta } = stamp(operation, convention);
  const { name, description, inputSchema, outputSchema, icons } = operation;
  return Object.freeze({
    name,
    ...(title !== undefined && { title }),
    description,
    inputSchema,
    ...(convention.listsOutputSchema && isObjectSchema(outputSchema) && { outputSchema }),
    annotations,
    ...(icons !== undefined && { icons }),
    ...(_meta !== undefined && { _meta }),
  });
}

/** Clients of the 2025 revisions accept structured results only as objects. */
export function isObjectSchema(schema: JsonSchema | undefined): schema is JsonSchema {
  return schema?.['type'] === 'object';
}
