/** Proves that a receipt is in the signed log, so that others can check it without the log. */
import type { KeyObject } from 'node:crypto';
import { inclusionProof, verifyInclusion } from '../../lib/merkle.ts';
import type { Store } from '../store.ts';
import type { ReceiptRow } from '../tables.ts';
import { leafOf } from './number-receipt.ts';
import { readSignedCheckpoint } from './checkpoint-note.ts';

interface ReceiptProof {
  /** Base64 of the RFC 6962 leaf hash of the body. */
  readonly leaf: string;
  readonly index: number;
  readonly size: number;
  /** Base64, from the leaf's sibling upwards. */
  readonly proof: readonly string[];
  /** The newest signed note of the log. */
  readonly checkpoint: string;
}

export type Proving =
  | { readonly kind: 'proved'; readonly proof: ReceiptProof }
  | { readonly kind: 'unsigned' }
  /** The log is not the one that was signed; the audit shows where. */
  | { readonly kind: 'refuted'; readonly detail: string };

const PAGE = 5000;

export async function proveReceipt(
  store: Store,
  row: ReceiptRow,
  publicKey: KeyObject,
): Promise<Proving> {
  const [newest] = await store.transaction((tx) =>
    tx.list('checkpoints', { orderBy: 'size', descending: true, limit: 1 }),
  );
  if (newest === undefined || newest.size <= row.seq) return { kind: 'unsigned' };
  const read = readSignedCheckpoint(newest.note, publicKey);
  if (read.kind === 'refused') return { kind: 'refuted', detail: read.detail };
  const { size, root } = read.checkpoint;
  const leaves = await readLeaves(store, size);
  if (leaves.length < size) {
    return { kind: 'refuted', detail: `Some of the ${size} signed receipts are missing.` };
  }
  const leafHash = Buffer.from(leafOf(row.body), 'hex');
  const proof = inclusionProof(row.seq, leaves);
  if (!verifyInclusion({ index: row.seq, size, leafHash, root, proof })) {
    return { kind: 'refuted', detail: 'The log is not the one that was signed.' };
  }
  return {
    kind: 'proved',
    proof: {
      leaf: leafHash.toString('base64'),
      index: row.seq,
      size,
      proof: proof.map((hash) => Buffer.from(hash).toString('base64')),
      checkpoint: newest.note,
    },
  };
}

interface Leaf {
  /** One that was tampered with may be anything. */
  readonly leaf: unknown;
  readonly body: string | null;
}

/** As the index has them, and from the body where it has none yet. */
const LEAVES = `SELECT i.leaf, CASE WHEN i.leaf IS NULL THEN l.body END AS body
  FROM receipt_log l LEFT JOIN receipt_index i ON i.seq = l.seq
  WHERE l.seq >= ? AND l.seq < ? ORDER BY l.seq LIMIT ?`;

async function readLeaves(store: Store, size: number): Promise<readonly Buffer[]> {
  const leaves: Buffer[] = [];
  for (;;) {
    const rows = (await store.transaction((tx) =>
      tx.execute(LEAVES, [leaves.length, size, PAGE]),
    )) as unknown as readonly Leaf[]; // its columns
    for (const { leaf, body } of rows) {
      const hex = leaf === null ? leafOf(body ?? '') : leaf;
      leaves.push(Buffer.from(typeof hex === 'string' ? hex : '', 'hex'));
    }
    if (rows.length < PAGE) return leaves;
  }
}
