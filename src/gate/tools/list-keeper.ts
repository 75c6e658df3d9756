/**
 * Keeps the bytes of tool lists so that they need not travel and be read again: for as long as the
 * server said they hold, or while it has promised to tell of changes. It never guesses.
 */
import type { Frame, JsonObject, RpcId } from '../protocol/frame.ts';
import { isObject } from '../protocol/read-frame.ts';
import { locate } from '../protocol/json-text.ts';

interface Kept {
  /** JSON text of the result. */
  readonly result: Buffer;
  readonly value: JsonObject;
  readonly goodUntil: number;
}

const BYTES_LIMIT = 64 * 1024 * 1024;

export class ListKeeper {
  readonly #now: () => number;
  readonly #kept = new Map<string, Kept>();
  #bytes = 0;
  /** The server tells when its tools change. */
  isWatched = false;

  constructor(now: () => number) {
    this.#now = now;
  }

  forget(): void {
    this.#kept.clear();
    this.#bytes = 0;
  }

  /** The answer to a list request, if it is known. */
  answer(request: Frame, id: RpcId): Frame | undefined {
    const key = keyOf(request);
    const kept = key === undefined ? undefined : this.#kept.get(key);
    if (kept === undefined) return undefined;
    if (!this.isWatched && kept.goodUntil <= this.#now()) return undefined;
    const bytes = Buffer.concat([
      Buffer.from(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":`),
      kept.result,
      CLOSING,
    ]);
    return { bytes, message: { id, result: kept.value }, about: id };
  }

  /** Whether the answer says just what is kept, so that nothing need be learnt from it. */
  keep(request: Frame, answer: Frame): 'same' | 'new' {
    const key = keyOf(request);
    const { result } = answer.message;
    if (key === undefined || !isObject(result)) return 'new';
    const text = Buffer.from(answer.bytes).toString('utf8');
    const place = locate(text, ['result']);
    if (place === undefined) return 'new';
    const bytes = Buffer.from(text.slice(place.start, place.end));
    const before = this.#kept.get(key);
    this.#bytes += bytes.length - (before?.result.length ?? 0);
    if (this.#bytes > BYTES_LIMIT) {
      this.forget();
      return 'new';
    }
    this.#kept.set(key, {
      result: bytes,
      value: result,
      goodUntil: this.#now() + lifetimeOf(result),
    });
    return before?.result.equals(bytes) ? 'same' : 'new';
  }
}

const CLOSING = Buffer.from('}');

function lifetimeOf(result: JsonObject): number {
  const ttl = result['ttlMs'];
  return typeof ttl === 'number' && ttl > 0 ? ttl : 0;
}

/** Lists differ by cursor only; a request that asks for anything else is not kept. */
function keyOf({ message: { params = {} } }: Frame): string | undefined {
  const { cursor, _meta, ...others } = params;
  if (Object.keys(others).length > 0) return undefined;
  return cursor === undefined ? '' : JSON.stringify(cursor);
}
