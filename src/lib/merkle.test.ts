import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  consistencyProof,
  inclusionProof,
  leafHash,
  MerkleRange,
  rootOf,
  verifyConsistency,
  verifyInclusion,
} from './merkle.ts';

// The reference vectors of Certificate Transparency, from its C++ implementation.
const LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((hex) => leafHash(Buffer.from(hex, 'hex')));

const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const NODE_0_1 = 'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125';
const NODE_2_3 = '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e';
const NODE_4_5 = '0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a';
const NODE_6_7 = 'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0';
const NODE_0_3 = 'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7';
const NODE_4_7 = '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4';
const LEAF_0 = '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d';
const LEAF_1 = '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7';
const LEAF_4 = 'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b';

const NO_LEAF = leafHash(Buffer.alloc(0));

function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function leavesOf(size: number): readonly Uint8Array[] {
  return Array.from({ length: size }, (_, index) => leafHash(Buffer.from(`record ${index}`)));
}

/** The definition of RFC 6962, 2.1, word for word. */
function rootByDefinition(leaves: readonly Uint8Array[]): Uint8Array {
  const [only] = leaves;
  if (only === undefined) return createHash('sha256').digest();
  if (leaves.length === 1) return only;
  const split = 2 ** Math.floor(Math.log2(leaves.length - 1));
  const parts = [leaves.slice(0, split), leaves.slice(split)].map(rootByDefinition);
  return createHash('sha256')
    .update(Buffer.concat([Buffer.of(1), ...parts]))
    .digest();
}

function flip(bytes: Uint8Array, bit: number): Uint8Array {
  const flipped = Buffer.from(bytes);
  const at = Math.floor(bit / 8) % flipped.length;
  flipped.writeUInt8(flipped.readUInt8(at) ^ (1 << (bit % 8)), at);
  return flipped;
}

const tree = fc.integer({ min: 1, max: 70 }).chain((size) =>
  fc.record({
    size: fc.constant(size),
    part: fc.nat(size - 1),
    bit: fc.nat(255),
    seed: fc.nat(),
  }),
);

describe('the roots of RFC 6962', () => {
  it.each(ROOTS.map((root, size) => [size, root] as const))('size %d: %s', (size, root) => {
    expect(toHex(rootOf(LEAVES.slice(0, size)))).toBe(root);
  });

  it('come out of a range at every size, as the definition says', () => {
    const leaves = leavesOf(130);
    const range = new MerkleRange();
    for (const [index, leaf] of leaves.entries()) {
      range.append(leaf);
      expect(range.size).toBe(index + 1);
      expect(toHex(range.root)).toBe(toHex(rootByDefinition(leaves.slice(0, index + 1))));
    }
  });

  it('take leaf hashes only', () => {
    expect(() => rootOf([Buffer.from('not hashed')])).toThrow(TypeError);
  });
});

describe('inclusion proofs', () => {
  it.each([
    [0, 1, []],
    [0, 8, [LEAF_1, NODE_2_3, NODE_4_7]],
    [5, 8, [LEAF_4, NODE_6_7, NODE_0_3]],
    [2, 3, [NODE_0_1]],
    [1, 5, [LEAF_0, NODE_2_3, LEAF_4]],
  ])('leaf %d of %d is shown by %j', (index, size, proof) => {
    expect(inclusionProof(index, LEAVES.slice(0, size)).map(toHex)).toEqual(proof);
  });

  it('verify, and fail with any bit, place or length changed', () => {
    fc.assert(
      fc.property(tree, ({ size, part: index, bit, seed }) => {
        const leaves = leavesOf(size);
        const proof = inclusionProof(index, leaves);
        const shown = {
          index,
          size,
          proof,
          root: rootOf(leaves),
          leafHash: leaves[index] ?? NO_LEAF,
        };
        expect(verifyInclusion(shown)).toBe(true);
        const changed = proof.map((sibling, at) =>
          at === seed % proof.length ? flip(sibling, bit) : sibling,
        );
        const wrong = [
          { ...shown, root: flip(shown.root, bit) },
          { ...shown, leafHash: flip(shown.leafHash, bit) },
          { ...shown, proof: [...proof, shown.root] },
          { ...shown, index: index + size },
          { ...shown, index: -1 },
          { ...shown, index: index + 0.5 },
          { ...shown, size: Number.NaN },
          { ...shown, root: shown.root.subarray(1) },
          ...(proof.length === 0 ? [] : [{ ...shown, proof: changed }]),
          ...(proof.length === 0 ? [] : [{ ...shown, proof: proof.slice(1) }]),
          ...(size === 1 ? [] : [{ ...shown, index: (index + 1 + (seed % (size - 1))) % size }]),
        ];
        expect(wrong.filter(verifyInclusion)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('exist for leaves only', () => {
    expect(() => inclusionProof(8, LEAVES)).toThrow(RangeError);
    expect(() => inclusionProof(-1, LEAVES)).toThrow(RangeError);
  });
});

describe('consistency proofs', () => {
  it.each([
    [1, 1, []],
    [1, 8, [LEAF_1, NODE_2_3, NODE_4_7]],
    [6, 8, [NODE_4_5, NODE_6_7, NODE_0_3]],
    [2, 5, [NODE_2_3, LEAF_4]],
  ])('from %d to %d is shown by %j', (oldSize, newSize, proof) => {
    expect(consistencyProof(oldSize, LEAVES.slice(0, newSize)).map(toHex)).toEqual(proof);
  });

  it('verify for every pair of sizes', () => {
    const leaves = leavesOf(40);
    const roots = Array.from({ length: 41 }, (_, size) => rootOf(leaves.slice(0, size)));
    const failed = roots.flatMap((newRoot, newSize) =>
      roots.slice(0, newSize + 1).filter((oldRoot, oldSize) => {
        const proof = consistencyProof(oldSize, leaves.slice(0, newSize));
        return !verifyConsistency({ oldSize, oldRoot, newSize, newRoot, proof });
      }),
    );
    expect(failed).toEqual([]);
  });

  it('fail with any bit or length changed, and for a history that was rewritten', () => {
    fc.assert(
      fc.property(tree, ({ size: newSize, part, bit, seed }) => {
        const oldSize = part + 1;
        const leaves = leavesOf(newSize);
        const proof = consistencyProof(oldSize, leaves);
        const oldRoot = rootOf(leaves.slice(0, oldSize));
        const shown = { oldSize, oldRoot, newSize, newRoot: rootOf(leaves), proof };
        expect(verifyConsistency(shown)).toBe(true);
        const changed = proof.map((node, at) =>
          at === seed % proof.length ? flip(node, bit) : node,
        );
        const rewritten = leaves.with(seed % oldSize, leafHash(Buffer.from('rewritten')));
        const wrong = [
          { ...shown, oldRoot: flip(oldRoot, bit) },
          { ...shown, newRoot: flip(shown.newRoot, bit) },
          { ...shown, proof: [...proof, oldRoot] },
          { ...shown, oldSize: newSize + 1 },
          { ...shown, oldSize: oldSize + 0.5 },
          {
            ...shown,
            newRoot: rootOf(rewritten),
            proof: consistencyProof(oldSize, rewritten),
          },
          ...(proof.length === 0 ? [] : [{ ...shown, proof: changed }]),
          ...(proof.length === 0 ? [] : [{ ...shown, proof: proof.slice(1) }]),
          ...(proof.length === 0 ? [] : [{ ...shown, proof: [] }]),
        ];
        expect(wrong.filter(verifyConsistency)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('from nothing are empty, and hold for the root of nothing only', () => {
    const shown = { oldSize: 0, newSize: 8, newRoot: rootOf(LEAVES), proof: [] };
    expect(verifyConsistency({ ...shown, oldRoot: rootOf([]) })).toBe(true);
    expect(verifyConsistency({ ...shown, oldRoot: rootOf(LEAVES) })).toBe(false);
    expect(() => consistencyProof(9, LEAVES)).toThrow(RangeError);
  });
});
