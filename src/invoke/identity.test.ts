import { describe, expect, it } from 'vitest';
import type { Authenticate } from './identity.ts';
import { identify } from './identity.ts';

const now = new Date('2026-11-15T12:00:00Z');
const principal = { id: 'alice', scopes: ['a:b'] };

describe('identify', () => {
  it('is nobody without a token', async () => {
    expect(await identify(undefined, () => principal, now)).toEqual({ kind: 'anonymous' });
  });

  it('is whoever the verifier says', async () => {
    expect(await identify('t', () => principal, now)).toEqual({ kind: 'known', principal });
  });

  it('refuses a token that is nobody’s, and any token where none is taken', async () => {
    const refused = { kind: 'refused', problem: { code: 'token-rejected', status: 401 } };
    expect(await identify('t', () => undefined, now)).toMatchObject(refused);
    expect(await identify('t', undefined, now)).toMatchObject(refused);
  });

  it('refuses a token that has expired', async () => {
    const expiresAt = now.getTime() / 1000;
    expect(await identify('t', () => ({ ...principal, expiresAt }), now)).toMatchObject({
      kind: 'refused',
      problem: { code: 'token-expired' },
    });
    expect(
      await identify('t', () => ({ ...principal, expiresAt: expiresAt + 1 }), now),
    ).toMatchObject({ kind: 'known' });
  });

  it.each([
    { id: 'a\0b', scopes: [] },
    { id: 'a\ud800', scopes: [] },
    { id: 'a', tenant: '\0', scopes: [] },
    { id: 7, scopes: [] },
    { id: new Date(0), scopes: [] },
    { id: 'a', tenant: null, scopes: [] },
    { scopes: [] },
    null,
  ])('refuses a principal that no store can name: %j', async (unnameable) => {
    const authenticate = (() => unnameable) as unknown as Authenticate; // without types
    expect(await identify('t', authenticate, new Date())).toMatchObject({
      kind: 'refused',
      problem: { code: 'token-rejected' },
    });
  });

  it.each([new Date(0), '99999999999', null, NaN, now.getTime() - 1])(
    'refuses an end that is no number of seconds: %j',
    async (expiresAt) => {
      const authenticate = (() => ({ ...principal, expiresAt })) as unknown as Authenticate;
      expect(await identify('t', authenticate, now)).toMatchObject({
        kind: 'refused',
        problem: { code: 'token-rejected' },
      });
    },
  );

  it('does not take a verifier that cannot answer for a yes', async () => {
    const down = () => Promise.reject(new Error('no route'));
    expect(await identify('t', down, now)).toMatchObject({
      kind: 'refused',
      problem: { code: 'unavailable', status: 503 },
    });
  });
});
