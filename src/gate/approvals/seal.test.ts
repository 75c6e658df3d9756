import { createHmac, createSecretKey } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openState, sealState } from './seal.ts';

const KEY = createSecretKey(Buffer.alloc(32, 1));
const OTHER_KEY = createSecretKey(Buffer.alloc(32, 2));
const STATE = { approval: 'a1', call: 'c', continuation: 'c1', upstream: '{"ü":1}', expires: 2000 };

function sealText(signed: string): string {
  const seal = createHmac('sha256', KEY).update('plimsoll state\n').update(signed);
  return `${signed}.${seal.digest('base64url')}`;
}

describe('a sealed state', () => {
  it('comes back as it was', () => {
    expect(openState(KEY, sealState(KEY, STATE), 1999)).toEqual({ kind: 'state', state: STATE });
    const bare = { approval: 'a1', call: 'c', expires: 2000 };
    expect(openState(KEY, sealState(KEY, bare), 0)).toStrictEqual({ kind: 'state', state: bare });
  });

  it('ends', () => {
    const text = sealState(KEY, STATE);
    expect(openState(KEY, text, 2000)).toEqual({ kind: 'refused', code: 'expired' });
  });

  it('opens under its own key only', () => {
    const text = sealState(OTHER_KEY, STATE);
    expect(openState(KEY, text, 0)).toEqual({ kind: 'refused', code: 'bad-seal' });
  });

  it('is looked at only after its seal', () => {
    const expired = sealState(OTHER_KEY, { ...STATE, expires: 0 });
    expect(openState(KEY, expired, 1)).toEqual({ kind: 'refused', code: 'bad-seal' });
  });

  it.each([
    '[]',
    'null',
    '{}',
    '{"approval":1,"expires":9}',
    '{"approval":"a"}',
    '{"approval":"a","expires":"9"}',
    '{"approval":"a","approval":"b","expires":9}',
    '{"approval":"a","upstream":1,"expires":9}',
    'no',
  ])('is refused with %s in it, even under the key', (body) => {
    const text = sealText(`pls1.${Buffer.from(body).toString('base64url')}`);
    expect(openState(KEY, text, 0)).toEqual({ kind: 'refused', code: 'malformed' });
  });

  it('names its format, and is refused in another one, even under the key', () => {
    expect(sealState(KEY, STATE)).toMatch(/^pls1\./);
    const body = Buffer.from(JSON.stringify(STATE)).toString('base64url');
    for (const signed of [`pls2.${body}`, `.${body}`, body]) {
      const opened = openState(KEY, sealText(signed), 0);
      expect(opened).toEqual({ kind: 'refused', code: 'malformed' });
    }
  });

  it('is malformed without a seal', () => {
    expect(openState(KEY, 'pls1', 0)).toEqual({ kind: 'refused', code: 'malformed' });
  });

  it('never throws, and never opens anything but what was sealed', () => {
    const text = sealState(KEY, STATE);
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(text.length), (noise, at) => {
        const spoilt = text.slice(0, at) + noise + text.slice(at + noise.length);
        const opened = openState(KEY, spoilt, 0);
        expect(opened.kind).toBe(spoilt === text ? 'state' : 'refused');
        expect(openState(KEY, noise, 0).kind).toBe('refused');
      }),
      { numRuns: 2000 },
    );
  });
});
