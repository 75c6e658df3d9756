import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { CryptoKey, JWTPayload } from 'jose';
import { exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { identify } from '../../invoke/identity.ts';
import type { JwtOptions } from './jwt-verifier.ts';
import { jwtVerifier } from './jwt-verifier.ts';

const ISSUER = 'https://id.example';
const AUDIENCE = 'https://gate.example/mcp';
const NOW = 1_800_000_000;
const now = (): Date => new Date(NOW * 1000);
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA'] as const;

let keys: Record<string, { publicKey: CryptoKey; privateKey: CryptoKey }>;
let stranger: CryptoKey;
let options: JwtOptions;

beforeAll(async () => {
  const pairs = ALGORITHMS.map(
    async (alg) => [alg, await generateKeyPair(alg, { extractable: true })] as const,
  );
  keys = Object.fromEntries(await Promise.all(pairs));
  stranger = (await generateKeyPair('ES256')).privateKey;
  const jwks = Object.entries(keys).map(async ([alg, { publicKey }]) => ({
    ...(await exportJWK(publicKey)),
    alg,
    kid: alg,
  }));
  options = {
    keys: { kind: 'inline', jwks: { keys: await Promise.all(jwks) } },
    issuer: ISSUER,
    audience: [AUDIENCE],
    principalClaim: 'sub',
    scopeClaim: 'scope',
    now,
  };
});

type Claims = Readonly<Record<string, unknown>>;

const CLAIMS: Claims = {
  iss: ISSUER,
  aud: AUDIENCE,
  sub: 'alice',
  exp: NOW + 60,
  scope: 'notes:read notes:write',
};

interface Making {
  readonly alg?: string;
  readonly kid?: string;
  readonly typ?: string;
  readonly key?: CryptoKey;
}

/** What is `undefined` is left out. */
function toPayload(claims: Claims): JWTPayload {
  return JSON.parse(JSON.stringify(claims)) as JWTPayload;
}

async function sign(claims: Claims, making: Making = {}): Promise<string> {
  const { alg = 'ES256', kid = alg, typ = 'JWT', key = keys[alg]?.privateKey } = making;
  if (key === undefined) throw new Error(`no key for ${alg}`);
  return await new SignJWT(toPayload(claims)).setProtectedHeader({ alg, kid, typ }).sign(key);
}

describe('jwtVerifier', () => {
  it.each(ALGORITHMS)('knows the caller of a token signed with %s', async (alg) => {
    expect(await jwtVerifier(options)(await sign(CLAIMS, { alg }))).toEqual({
      id: 'alice',
      scopes: ['notes:read', 'notes:write'],
      expiresAt: NOW + 60,
    });
  });

  it.each<[string, Claims, Making?]>([
    ['for another audience', { ...CLAIMS, aud: 'https://other.example/mcp' }],
    ['for our audience with a slash more', { ...CLAIMS, aud: `${AUDIENCE}/` }],
    ['without audience', { ...CLAIMS, aud: undefined }],
    ['for an empty list of audiences', { ...CLAIMS, aud: [] }],
    ['of another issuer', { ...CLAIMS, iss: 'https://id.example.evil' }],
    ['without issuer', { ...CLAIMS, iss: undefined }],
    ['that is over', { ...CLAIMS, exp: NOW - 10 }],
    ['without an end', { ...CLAIMS, exp: undefined }],
    ['that does not hold yet', { ...CLAIMS, nbf: NOW + 60 }],
    ['of nobody', { ...CLAIMS, sub: undefined }],
    ['of an empty name', { ...CLAIMS, sub: '' }],
    ['with an unknown key', CLAIMS, { kid: 'other' }],
    ['that is no access token', CLAIMS, { typ: 'dpop+jwt' }],
  ])('refuses a token %s', async (_, claims, making) => {
    expect(await jwtVerifier(options)(await sign(claims, making))).toBeUndefined();
  });

  it('refuses a token that somebody else signed under a known key', async () => {
    const forged = await sign(CLAIMS, { kid: 'ES256', key: stranger });
    expect(await jwtVerifier(options)(forged)).toBeUndefined();
  });

  it('refuses a token with no signature', async () => {
    expect(
      await jwtVerifier(options)(new UnsecuredJWT(toPayload(CLAIMS)).encode()),
    ).toBeUndefined();
    const [, claims = ''] = (await sign(CLAIMS)).split('.');
    for (const alg of ['none', 'None', 'NONE']) {
      const header = Buffer.from(JSON.stringify({ alg, kid: 'ES256' })).toString('base64url');
      expect(await jwtVerifier(options)(`${header}.${claims}.`)).toBeUndefined();
    }
  });

  it.each(['HS256', 'HS384', 'HS512'])(
    'refuses %s with a public key for its secret',
    async (alg) => {
      for (const kid of ['RS256', 'ES256']) {
        const pair = keys[kid];
        if (pair === undefined) throw new Error('no key');
        const secrets = [
          await exportSPKI(pair.publicKey),
          (await exportSPKI(pair.publicKey)).trim(),
          JSON.stringify(await exportJWK(pair.publicKey)),
        ];
        for (const secret of secrets) {
          const token = await new SignJWT(toPayload(CLAIMS))
            .setProtectedHeader({ alg, kid })
            .sign(Buffer.from(secret.padEnd(64)));
          expect(await jwtVerifier(options)(token)).toBeUndefined();
        }
      }
    },
  );

  it('refuses a token of which one letter was changed, and what is no token', async () => {
    const token = await sign(CLAIMS);
    const verify = jwtVerifier(options);
    const at = token.indexOf('.') + 5;
    const changed = token.slice(0, at) + (token[at] === 'A' ? 'B' : 'A') + token.slice(at + 1);
    for (const text of [changed, '', '..', 'a.b.c', `${token}.x`, 'x'.repeat(100_000)]) {
      expect(await verify(text)).toBeUndefined();
    }
  });

  it('takes principal, tenant and scopes from the claims it is told', async () => {
    const verify = jwtVerifier({
      ...options,
      principalClaim: 'client_id',
      tenantClaim: 'org',
      scopeClaim: 'permissions',
    });
    const claims = { ...CLAIMS, client_id: 'bot', org: 'acme', permissions: ['a:b', 7, ''] };
    expect(await verify(await sign(claims))).toMatchObject({
      id: 'bot',
      tenant: 'acme',
      scopes: ['a:b'],
    });
    expect(await verify(await sign({ ...claims, org: undefined }))).toBeUndefined();
    expect(await verify(await sign({ ...claims, client_id: undefined }))).toBeUndefined();
  });

  it('will not be made without an audience', () => {
    expect(() => jwtVerifier({ ...options, audience: [] })).toThrow(/audience/);
  });
});

describe('keys from a URL', () => {
  it('are fetched, and an unknown key is refused', async () => {
    if (options.keys.kind !== 'inline') throw new Error('expected keys');
    const body = JSON.stringify(options.keys.jwks);
    const server = createServer((_, response) => response.end(body));
    await new Promise<void>((done) => {
      server.listen(0, '127.0.0.1', done);
    });
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/jwks`;
    const verify = jwtVerifier({ ...options, keys: { kind: 'url', url } });
    expect(await verify(await sign(CLAIMS))).toMatchObject({ id: 'alice' });
    expect(await verify(await sign(CLAIMS, { kid: 'other' }))).toBeUndefined();
    await new Promise((done) => {
      server.close(done);
    });
  });

  it.each<[string, () => Promise<Response>]>([
    ['cannot be reached', async () => Promise.reject(new TypeError('fetch failed'))],
    ['answers with an error', async () => new Response('no', { status: 500 })],
    ['answers nonsense', async () => Response.json({ keys: 'none' })],
  ])('say nothing about a token when their server %s', async (_, fetchKeys) => {
    const keysUrl = { kind: 'url', url: 'https://id.example/jwks' } as const;
    const verify = jwtVerifier({ ...options, keys: keysUrl, fetch: fetchKeys });
    const identity = await identify(await sign(CLAIMS), verify, now());
    expect(identity).toMatchObject({ kind: 'refused', problem: { code: 'unavailable' } });
  });
});
