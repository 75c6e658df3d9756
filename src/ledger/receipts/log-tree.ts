/**
 * The Merkle tree of a growing log, followed from the database leaf by leaf. Every checkpoint on the
 * way must match this tree; after the first that does not, nothing more can be signed.
 */
import type { KeyObject } from 'node:crypto';
import type { Checkpoint } from '../../lib/checkpoint.ts';
import { MerkleRange } from '../../lib/merkle.ts';
import type { Store, Tx } from '../store.ts';
import type { CheckpointRow } from '../tables.ts';
import { leafOf, RECEIPT_COUNTER } from './number-receipt.ts';
import { originOf, readSignedCheckpoint } from './checkpoint-note.ts';

const PAGE = 2000;
/** Then calls have their turn. */
const AT_ONCE = 64;
/** But under load a turn may add more than that: after this long, the rest is hashed in one go. */
const MOST_TURNS_MS = 20;

/** The log does not match what was signed before. */
export class InconsistentLogError extends Error {
  override readonly name = 'InconsistentLogError';
}

interface Growth {
  readonly count: number;
  readonly newest: CheckpointRow | undefined;
  readonly leaves: readonly Leaf[];
  readonly checkpoints: readonly CheckpointRow[];
}

interface Leaf {
  readonly seq: number;
  /** `null` while the receipt is not indexed; then there is its body. */
  readonly leaf: string | null;
  readonly body: string | null;
}

export class LogTree {
  readonly #store: Store;
  readonly #publicKey: KeyObject;
  readonly #range = new MerkleRange();
  /** A checkpoint from elsewhere that the log must also match. */
  readonly #anchor: Checkpoint | undefined;
  #origin = '';

  constructor(store: Store, publicKey: KeyObject, anchor?: Checkpoint) {
    this.#store = store;
    this.#publicKey = publicKey;
    this.#anchor = anchor;
  }

  get checkpoint(): Checkpoint {
    return { origin: this.#origin, size: this.#range.size, root: this.#range.root };
  }

  /** Reads what was appended since, and returns its newest known checkpoint. Never twice at once. */
  async catchUp(): Promise<CheckpointRow | undefined> {
    const until = performance.now() + MOST_TURNS_MS;
    for (;;) {
      // Applied only after the commit: what others wrote in the same one could still be rolled back.
      const growth = await this.#store.transaction((tx) => readGrowth(tx, this.#range.size));
      if (growth.count < this.#range.size) throw tooShort(growth.count, this.#range.size);
      await this.#take(growth, until);
      if (growth.leaves.length === PAGE) continue;
      const signed = Math.max(growth.newest?.size ?? 0, this.#anchor?.size ?? 0);
      if (signed > this.#range.size) throw tooShort(this.#range.size, signed);
      return growth.newest;
    }
  }

  async #take({ leaves, checkpoints }: Growth, until: number): Promise<void> {
    const known = new Map(checkpoints.map((row) => [row.size, row.note]));
    for (let at = 0; at < leaves.length; at += AT_ONCE) {
      if (at > 0 && performance.now() < until) await new Promise(setImmediate);
      for (const leaf of leaves.slice(at, at + AT_ONCE)) this.#append(leaf, known);
    }
  }

  #append({ seq, leaf: indexed, body }: Leaf, known: ReadonlyMap<number, string>): void {
    if (seq !== this.#range.size) {
      throw new InconsistentLogError(`receipt ${this.#range.size} is missing`);
    }
    const leaf = indexed ?? leafOf(body ?? '');
    if (seq === 0) this.#origin = originOf(leaf);
    this.#range.append(Buffer.from(leaf, 'hex'));
    const note = known.get(this.#range.size);
    if (note !== undefined) this.#agree(this.#read(note));
    if (this.#anchor?.size === this.#range.size) this.#agree(this.#anchor);
  }

  #read(note: string): Checkpoint {
    const read = readSignedCheckpoint(note, this.#publicKey);
    if (read.kind === 'checkpoint') return read.checkpoint;
    throw new InconsistentLogError(`the checkpoint at ${this.#range.size}: ${read.detail}`);
  }

  #agree({ origin, size, root }: Checkpoint): void {
    const isSame = size === this.#range.size && Buffer.compare(root, this.#range.root) === 0;
    if (isSame && origin === this.#origin) return;
    throw new InconsistentLogError(`the log differs from what was signed at ${this.#range.size}`);
  }
}

/** In this order, so that the later reads see everything that the newest checkpoint covers. */
async function readGrowth(tx: Tx, size: number): Promise<Growth> {
  const newest = await tx.list('checkpoints', { orderBy: 'size', descending: true, limit: 1 });
  const counter = await tx.find('counters', { name: RECEIPT_COUNTER });
  const leaves = (await tx.execute(
    `SELECT l.seq, i.leaf, CASE WHEN i.leaf IS NULL THEN l.body END AS body
      FROM receipt_log l LEFT JOIN receipt_index i ON i.seq = l.seq
      WHERE l.seq >= ? ORDER BY l.seq LIMIT ?`,
    [size, PAGE],
  )) as unknown as Growth['leaves']; // the columns are those of the table
  const checkpoints = await tx.list('checkpoints', {
    above: { column: 'size', value: size },
    upTo: { column: 'size', value: size + leaves.length },
    orderBy: 'size',
    limit: PAGE,
  });
  return { count: counter?.value ?? 0, newest: newest[0], leaves, checkpoints };
}

function tooShort(has: number, signed: number): InconsistentLogError {
  return new InconsistentLogError(`the log has ${has} receipts, and ${signed} were signed`);
}
