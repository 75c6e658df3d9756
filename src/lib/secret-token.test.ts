import { createHmac } from 'node:crypto';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSameInConstantTime } from './secret.ts';
import { hashSecretToken, mintSecretToken, readSecretToken } from './secret-token.ts';

const KEY = Buffer.alloc(32, 7);

const prefix = fc.stringMatching(/^[a-z][a-z\d]{1,15}$/);
const random = fc.uint8Array({ minLength: 38, maxLength: 38 }).map((bytes) => {
  let used = 0;
  return (size: number) => bytes.subarray(used, (used += size));
});

describe('mintSecretToken', () => {
  it('mints tokens that read as such, whatever the random bytes', () => {
    fc.assert(
      fc.property(prefix, random, (name, bytes) => {
        const { id, secret } = mintSecretToken(name, bytes);
        expect(readSecretToken(secret.reveal())).toEqual({ kind: 'token', prefix: name });
        expect(secret.reveal()).toHaveLength(name.length + 1 + 36);
        expect(id).toMatch(/^[a-z\d]+-[A-Za-z\d]{22}$/);
        expect(readSecretToken(id).kind).toBe('refused');
      }),
    );
  });

  it('puts all 176 bits into the secret and 128 others into the id', () => {
    const sizes: number[] = [];
    const full = mintSecretToken('plm', (size) => {
      sizes.push(size);
      return Buffer.alloc(size, 255);
    });
    expect(sizes).toEqual([22, 16]);
    expect(valueOf(full.secret.reveal().slice(4, -6))).toBe(2n ** 176n - 1n);
    expect(valueOf(full.id.slice(4))).toBe(2n ** 128n - 1n);
  });

  it('ends in the CRC-32 of prefix and body, in base62', () => {
    const token = mintSecretToken('plm').secret.reveal();
    const body = token.slice(4, -6);
    expect(valueOf(token.slice(-6))).toBe(BigInt(crc32(`plm${body}`)));
  });

  it('never mints the same twice', () => {
    const minted = Array.from({ length: 1000 }, () => mintSecretToken('plm'));
    expect(new Set(minted.map(({ secret }) => secret.reveal())).size).toBe(1000);
    expect(new Set(minted.map(({ id }) => id)).size).toBe(1000);
  });

  it('does not show the secret when printed', () => {
    const minted = mintSecretToken('plm');
    expect(JSON.stringify(minted)).toBe(`{"id":"${minted.id}","secret":"[secret]"}`);
  });

  it.each(['', 'a', 'Plm', '1plm', 'pl_m', 'pl-m', 'a'.repeat(17)])('refuses prefix %j', (name) => {
    expect(() => mintSecretToken(name)).toThrow(TypeError);
  });
});

describe('readSecretToken', () => {
  it('finds every single slip: a character changed, left out, doubled or swapped', () => {
    fc.assert(
      fc.property(random, fc.nat(39), fc.constantFrom('0', 'a', 'Z'), (bytes, seed, put) => {
        const token = mintSecretToken('plm', bytes).secret.reveal();
        const at = seed % token.length;
        const slips = [
          token.slice(0, at) + put + token.slice(at + 1),
          token.slice(0, at) + token.slice(at + 1),
          token.slice(0, at) + token.slice(at, at + 1) + token.slice(at),
          token.slice(0, at) + token.slice(at + 1, at + 2) + token.charAt(at) + token.slice(at + 2),
        ].filter((slip) => slip !== token);
        expect(slips.filter((slip) => readSecretToken(slip).kind === 'token')).toEqual([]);
      }),
    );
  });

  it('tells a wrong checksum from a wrong shape', () => {
    const token = mintSecretToken('plm').secret.reveal();
    expect(readSecretToken(`xlm${token.slice(3)}`)).toEqual({
      kind: 'refused',
      code: 'wrong-checksum',
    });
    for (const text of ['', token.toUpperCase(), `${token}\n`, ` ${token}`, 'a'.repeat(1e6)]) {
      expect(readSecretToken(text)).toEqual({ kind: 'refused', code: 'wrong-shape' });
    }
  });
});

describe('hashSecretToken', () => {
  it('is HMAC-SHA256 with a key of at least 256 bits', () => {
    const hash = createHmac('sha256', KEY).update('plm_x').digest('hex');
    expect(hashSecretToken('plm_x', KEY)).toBe(hash);
    expect(hashSecretToken('plm_x', Buffer.alloc(32, 8))).not.toBe(hash);
    expect(() => hashSecretToken('plm_x', KEY.subarray(1))).toThrow(TypeError);
  });
});

describe('isSameInConstantTime', () => {
  it('says what === says', () => {
    const some = fc.string({ maxLength: 3, unit: fc.constantFrom('a', 'é', '\ud800', '\udc00') });
    fc.assert(
      fc.property(some, some, (left, right) => {
        expect(isSameInConstantTime(left, right)).toBe(left === right);
      }),
    );
  });
});

function valueOf(base62: string): bigint {
  const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
  return Array.from(base62).reduce((sum, digit) => sum * 62n + BigInt(digits.indexOf(digit)), 0n);
}
