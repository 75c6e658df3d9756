/**
 * Keeps answers of calls that only look, where the policy opted in: for one principal, one tool
 * definition and one set of arguments, for as long as was said and no server was written to. Any
 * call that may change something empties it for that server, when it is sent and when it has ended.
 */
import { LRUCache } from 'lru-cache';
import type { Effect } from '../../effect/effect.ts';
import { TIERS } from '../../effect/tier.ts';
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import type { RpcMessage } from '../protocol/frame.ts';

export interface CacheKey {
  readonly principal: string;
  readonly tenant: string;
  readonly server: string;
  /** Digests of the tool's definition and of the arguments. */
  readonly definition: string;
  readonly arguments: string;
}

export interface CacheTerms {
  readonly effect: Effect;
  /** Zero unless the policy opted in. */
  readonly cacheSeconds: number;
}

interface CacheableAnswer {
  readonly message: RpcMessage;
  /** The bytes of its `result` member, to be put into an answer with another id. */
  readonly result: Uint8Array;
}

export interface CacheLimits {
  readonly entries?: number;
  readonly bytes?: number;
}

interface Kept {
  readonly server: string;
  readonly result: Uint8Array;
  readonly until: number;
}

const ENTRIES = 1000;
const BYTES = 32 * 1024 * 1024;
const LARGEST_RESULT = 1024 * 1024;

export class ReadCache {
  readonly #now: () => number;
  readonly #kept: LRUCache<string, Kept>;
  readonly #writes = new Map<string, number>();

  constructor(now: () => number, { entries = ENTRIES, bytes = BYTES }: CacheLimits = {}) {
    this.#now = now;
    this.#kept = new LRUCache({
      max: entries,
      maxSize: bytes,
      sizeCalculation: ({ result }) => Math.max(1, result.byteLength), // it takes no zero
    });
  }

  find(key: CacheKey): Uint8Array | undefined {
    const id = toId(key);
    const kept = this.#kept.get(id);
    if (kept === undefined || kept.until > this.#now()) return kept?.result;
    this.#kept.delete(id);
    return undefined;
  }

  /** To be taken before a call is sent and given to `keep`: what a write overtook is not kept. */
  mark(server: string): number {
    return this.#writes.get(server) ?? 0;
  }

  /** Tells whether it was kept. */
  keep(key: CacheKey, answer: CacheableAnswer, terms: CacheTerms, mark: number): boolean {
    if (!mayKeep(answer, terms) || mark !== this.mark(key.server)) return false;
    const id = toId(key);
    const until = this.#now() + terms.cacheSeconds * 1000;
    // A copy: the bytes may be a window on a buffer that is far larger, or used again.
    this.#kept.set(id, { server: key.server, result: Uint8Array.from(answer.result), until });
    return this.#kept.has(id);
  }

  invalidateServer(server: string): void {
    this.#writes.set(server, this.mark(server) + 1);
    const all = [...this.#kept.entries()]; // deleting while it iterates is not safe
    for (const [id, kept] of all) if (kept.server === server) this.#kept.delete(id);
  }
}

function mayKeep({ message, result }: CacheableAnswer, terms: CacheTerms): boolean {
  const { effect, cacheSeconds } = terms;
  if (!(cacheSeconds > 0) || !TIERS[effect.tier].caches || effect.secrets.length > 0) return false;
  return result.byteLength <= LARGEST_RESULT && isComplete(message);
}

/** A question back, a task and any other kind of result is about this one call only. */
function isComplete({ result, error }: RpcMessage): boolean {
  if (error !== undefined || typeof result !== 'object' || result === null) return false;
  const { isError = false, resultType = 'complete' } = result as Readonly<Record<string, unknown>>;
  return isError === false && resultType === 'complete';
}

function toId({ principal, tenant, server, definition, arguments: digest }: CacheKey): string {
  return toCanonicalJson([principal, tenant, server, definition, digest]);
}
