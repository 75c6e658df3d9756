/** Someone who works with the tools: calls them and remembers what was answered. For tests. */

/** Calls a tool and returns its structured result; a refusal is thrown. */
export type CallTool = (name: string, args: object) => Promise<Record<string, unknown>>;

export interface Step {
  readonly tool: string;
  readonly args: object;
  readonly result: Record<string, unknown>;
}

export class Worker {
  readonly #call: CallTool;
  readonly steps: Step[] = [];

  constructor(call: CallTool) {
    this.#call = call;
  }

  async do(tool: string, args: object = {}): Promise<Record<string, unknown>> {
    const result = await this.#call(tool, args);
    this.steps.push({ tool, args, result });
    return result;
  }

  /** The list in a result. */
  async list(tool: string, field: string, args: object = {}): Promise<readonly Listed[]> {
    const result = await this.do(tool, args);
    return result[field] as readonly Listed[];
  }
}

export type Listed = Readonly<Record<string, unknown>>;

/** What differs between two runs, and between two servers, without anything being different. */
const VOLATILE = new Set(['etag', 'id', 'last_modified', 'modified', 'uid', 'completed']);

/** Steps as they can be compared. */
export function toComparable(steps: readonly Step[]): readonly unknown[] {
  const names = new Map<string, string>();
  const rename = (uid: string): string => {
    const name = names.get(uid) ?? `uid ${names.size + 1}`;
    names.set(uid, name);
    return name;
  };
  const clean = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(clean);
    if (typeof value === 'string') {
      const isUid = /^[\da-f]{8}-[\da-f-]{27}$/.test(value);
      return isUid ? rename(value) : value.replace(/^http:\/\/127\.0\.0\.1:.*/, 'an address');
    }
    if (typeof value !== 'object' || value === null) return value;
    const entries = Object.entries(value).filter(([name]) => !VOLATILE.has(name));
    return Object.fromEntries(entries.map(([name, inner]) => [name, clean(inner)]));
  };
  return steps.map(({ tool, result }) => [tool, clean(result)]);
}
