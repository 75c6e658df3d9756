/**
 * The Merkle tree of RFC 6962 over SHA-256: hashes, roots, and proofs that a leaf is in a tree or that
 * one tree only grew into another. Making a proof throws when the leaf or tree does not exist;
 * verifying one never throws, because proofs come from untrusted parties.
 */
import { sha256 } from './sha256.ts';

const HASH_LENGTH = 32;

/** Different first bytes, so that no leaf can pass for a node. */
const LEAF = Buffer.of(0);
const NODE = 1;

const EMPTY_ROOT: Uint8Array = sha256(Buffer.alloc(0));

interface Inclusion {
  readonly index: number;
  readonly size: number;
  readonly leafHash: Uint8Array;
  readonly root: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

interface Consistency {
  readonly oldSize: number;
  readonly oldRoot: Uint8Array;
  readonly newSize: number;
  readonly newRoot: Uint8Array;
  readonly proof: readonly Uint8Array[];
}

export function leafHash(bytes: Uint8Array): Uint8Array {
  return sha256(Buffer.concat([LEAF, bytes]));
}

/** Takes leaf hashes one at a time and computes the root of all so far; holds one hash per level. */
export class MerkleRange {
  /** Roots of the complete subtrees of the leaves so far, the largest first. */
  readonly #peaks: Uint8Array[] = [];
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get root(): Uint8Array {
    return this.#peaks.length === 0
      ? EMPTY_ROOT
      : this.#peaks.reduceRight((right, left) => nodeHash(left, right));
  }

  append(leaf: Uint8Array): void {
    if (!isHash(leaf)) throw new TypeError('a leaf hash has 32 bytes');
    let peak = leaf;
    for (let full = this.#size; isOdd(full); full = half(full)) {
      peak = nodeHash(this.#peaks.pop() ?? peak, peak);
    }
    this.#peaks.push(peak);
    this.#size++;
  }
}

export function rootOf(leafHashes: Iterable<Uint8Array>): Uint8Array {
  const range = new MerkleRange();
  for (const leaf of leafHashes) range.append(leaf);
  return range.root;
}

/** Shows that the leaf at `index` is in the tree of these leaves (RFC 6962, 2.1.1). */
export function inclusionProof(
  index: number,
  leafHashes: readonly Uint8Array[],
): readonly Uint8Array[] {
  if (!isCount(index) || index >= leafHashes.length) throw new RangeError('no such leaf');
  const proof: Uint8Array[] = [];
  let [at, leaves] = [index, leafHashes];
  while (leaves.length > 1) {
    const split = splitOf(leaves.length);
    const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
    proof.push(rootOf(at < split ? right : left));
    [at, leaves] = at < split ? [at, left] : [at - split, right];
  }
  return proof.toReversed();
}

/** Shows that the tree of the first `oldSize` leaves grew into this one (RFC 6962, 2.1.2). */
export function consistencyProof(
  oldSize: number,
  leafHashes: readonly Uint8Array[],
): readonly Uint8Array[] {
  if (!isCount(oldSize) || oldSize > leafHashes.length) throw new RangeError('no such old tree');
  if (oldSize === 0 || oldSize === leafHashes.length) return [];
  const proof: Uint8Array[] = [];
  let [size, leaves, isWholeOldTree] = [oldSize, leafHashes, true];
  while (size < leaves.length) {
    const split = splitOf(leaves.length);
    const [left, right] = [leaves.slice(0, split), leaves.slice(split)];
    proof.push(rootOf(size <= split ? right : left));
    if (size <= split) leaves = left;
    else [size, leaves, isWholeOldTree] = [size - split, right, false];
  }
  // The verifier holds the root of the whole old tree already.
  if (!isWholeOldTree) proof.push(rootOf(leaves));
  return proof.toReversed();
}

export function verifyInclusion(claim: Inclusion): boolean {
  const { index, size, root, proof } = claim;
  if (!isCount(index) || !isCount(size) || index >= size) return false;
  if (![claim.leafHash, root, ...proof].every(isHash)) return false;
  let [at, last, hashed] = [index, size - 1, claim.leafHash];
  for (const sibling of proof) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      hashed = nodeHash(sibling, hashed);
      while (!isOdd(at) && at !== 0) [at, last] = [half(at), half(last)];
    } else {
      hashed = nodeHash(hashed, sibling);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && isSame(hashed, root);
}

/** Every tree extends the empty one, with an empty proof. */
export function verifyConsistency(claim: Consistency): boolean {
  const { oldSize, oldRoot, newSize, newRoot, proof } = claim;
  if (!isCount(oldSize) || !isCount(newSize) || oldSize > newSize) return false;
  if (![oldRoot, newRoot, ...proof].every(isHash)) return false;
  if (oldSize === newSize) return proof.length === 0 && isSame(oldRoot, newRoot);
  if (oldSize === 0) return proof.length === 0 && isSame(oldRoot, EMPTY_ROOT);
  let [at, last] = [oldSize - 1, newSize - 1];
  while (isOdd(at)) [at, last] = [half(at), half(last)];
  const [first, ...rest] = at === 0 ? [oldRoot, ...proof] : proof;
  if (first === undefined) return false;
  let [oldHashed, newHashed] = [first, first];
  for (const sibling of rest) {
    if (last === 0) return false;
    if (isOdd(at) || at === last) {
      oldHashed = nodeHash(sibling, oldHashed);
      newHashed = nodeHash(sibling, newHashed);
      while (!isOdd(at) && at !== 0) [at, last] = [half(at), half(last)];
    } else {
      newHashed = nodeHash(newHashed, sibling);
    }
    [at, last] = [half(at), half(last)];
  }
  return last === 0 && isSame(oldHashed, oldRoot) && isSame(newHashed, newRoot);
}

/** One for all nodes: what is in it is hashed at once. */
const pair = Buffer.alloc(1 + 2 * HASH_LENGTH, NODE);

/** Both have the length of a hash. */
function nodeHash(left: Uint8Array, right: Uint8Array): Uint8Array {
  pair.set(left, 1);
  pair.set(right, 1 + HASH_LENGTH);
  return sha256(pair);
}

/** The largest power of two below `size`: how many leaves the left subtree has. */
function splitOf(size: number): number {
  let split = 1;
  while (split * 2 < size) split *= 2;
  return split;
}

// Plain arithmetic, since the bit operators truncate sizes to 32 bits.
function isOdd(count: number): boolean {
  return count % 2 === 1;
}

function half(count: number): number {
  return Math.floor(count / 2);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function isHash(bytes: Uint8Array): boolean {
  return bytes instanceof Uint8Array && bytes.length === HASH_LENGTH;
}

function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return Buffer.compare(left, right) === 0;
}
