import { createHash } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import type { JwtConfig, TokenConfig } from '../config/gate-config.ts';
import { identifyCaller } from './identify-caller.ts';

const alice = { id: 'alice', scopes: ['a:b'] };
const bob = { id: 'bob', scopes: [] };
const tokens: readonly TokenConfig[] = [
  { kind: 'environment', variable: 'ALICE', principal: alice },
  { kind: 'digest', sha256: sha256('token-of-bob'), principal: bob },
];
const environment = { ALICE: 'token-of-alice' };

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

describe('identifyCaller', () => {
  it('knows tokens by variable and by digest', async () => {
    const who = identifyCaller({ tokens }, environment);
    expect(await who?.('token-of-alice')).toBe(alice);
    expect(await who?.('token-of-bob')).toBe(bob);
    for (const text of ['', 'ALICE', 'token-of-alic', sha256('token-of-bob')]) {
      expect(await who?.(text)).toBeUndefined();
    }
  });

  it.each([{}, { ALICE: '' }])('will not take no token for the empty one', (empty) => {
    expect(() => identifyCaller({ tokens }, empty)).toThrow(/ALICE is not set/);
  });

  it('is none when the configuration knows nobody', () => {
    expect(identifyCaller({ tokens: [] }, {})).toBeUndefined();
  });

  it('judges JWTs by their signature and the rest by the list', async () => {
    const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
    const jwt: JwtConfig = {
      keys: { kind: 'inline', jwks: { keys: [await exportJWK(publicKey)] } },
      issuer: 'https://id.example',
      audience: ['https://gate.example'],
      principalClaim: 'sub',
      scopeClaim: 'scope',
    };
    const sign = async (audience: string): Promise<string> =>
      await new SignJWT({ sub: 'carol' })
        .setProtectedHeader({ alg: 'ES256' })
        .setIssuer('https://id.example')
        .setAudience(audience)
        .setExpirationTime('1m')
        .sign(privateKey);
    const who = identifyCaller({ tokens, jwt }, environment);
    expect(await who?.(await sign('https://gate.example'))).toMatchObject({ id: 'carol' });
    expect(await who?.(await sign('https://other.example'))).toBeUndefined();
    expect(await who?.('token-of-alice')).toBe(alice);
    expect(await who?.('to.ken.like')).toBeUndefined();
    const onlyJwt = identifyCaller({ tokens: [], jwt }, {});
    expect(await onlyJwt?.('token-of-alice')).toBeUndefined();
  });
});
