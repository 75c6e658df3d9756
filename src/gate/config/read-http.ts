/** The `http` part: where the gate listens, and whose tokens it takes. Tokens themselves never stand here. */
import type { JSONWebKeySet } from 'jose';
import type { Principal } from '../../effect/operation.ts';
import { isSafeUrl } from '../auth/is-safe-url.ts';
import type { HttpConfig, JwtConfig, TokenConfig } from './gate-config.ts';
import type { Spot } from './spot.ts';
import { fault, readFields, readItems, readText, readTexts, readWhole, toValue } from './spot.ts';

const HTTP = ['host', 'port', 'allowedHosts', 'allowedOrigins', 'tokens', 'jwt'];
const JWT = [
  'jwksUrl',
  'jwks',
  'issuer',
  'audience',
  'principalClaim',
  'tenantClaim',
  'scopeClaim',
];
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const NO_TOKEN =
  'a token never stands in this file; name a variable with tokenEnv, or give its SHA-256 as tokenSha256.';

export function readHttp(spot: Spot | undefined): HttpConfig | undefined {
  const fields = readFields(spot, HTTP, { token: NO_TOKEN });
  if (fields === undefined) return undefined;
  const host = readText(fields['host']);
  const port = readWhole(fields['port'], 65_535);
  const allowedHosts = readTexts(fields['allowedHosts']);
  const allowedOrigins = readTexts(fields['allowedOrigins']);
  const jwt = readJwt(fields['jwt']);
  return {
    ...(host !== undefined && { host }),
    ...(port !== undefined && { port }),
    ...(allowedHosts !== undefined && { allowedHosts }),
    ...(allowedOrigins !== undefined && { allowedOrigins }),
    tokens: (readItems(fields['tokens']) ?? []).flatMap(readToken),
    ...(jwt !== undefined && { jwt }),
  };
}

function readToken(spot: Spot): TokenConfig[] {
  const known = ['tokenEnv', 'tokenSha256', 'principal'];
  const fields = readFields(spot, known, { token: NO_TOKEN });
  if (fields === undefined) return [];
  const principal = readPrincipal(fields['principal'] ?? fault(spot, 'principal is missing.'));
  const { tokenEnv, tokenSha256 } = fields;
  if ((tokenEnv === undefined) === (tokenSha256 === undefined)) {
    fault(spot, 'needs either tokenEnv or tokenSha256.');
    return [];
  }
  const variable = readText(tokenEnv);
  const sha256 = readText(tokenSha256)?.toLowerCase();
  if (principal === undefined) return [];
  if (tokenEnv !== undefined && variable !== undefined) {
    if (!VARIABLE.test(variable)) {
      fault(tokenEnv, 'must be the name of an environment variable, not a token.');
      return [];
    }
    const { environment } = spot.source;
    if (environment !== undefined && (environment[variable] ?? '') === '') {
      fault(tokenEnv, `the environment variable ${variable} is not set.`);
    }
    return [{ kind: 'environment', variable, principal }];
  }
  if (tokenSha256 !== undefined && sha256 !== undefined) {
    if (/^[0-9a-f]{64}$/.test(sha256)) return [{ kind: 'digest', sha256, principal }];
    fault(tokenSha256, 'must be a SHA-256 in hex: printf %s "$TOKEN" | sha256sum');
  }
  return [];
}

function readPrincipal(spot: Spot | undefined): Principal | undefined {
  const fields = readFields(spot, ['id', 'tenant', 'scopes']);
  if (spot === undefined || fields === undefined) return undefined;
  const id = readText(fields['id'] ?? fault(spot, 'id is missing.'));
  const scopes = readTexts(fields['scopes'] ?? fault(spot, 'scopes is missing; [] is none.'));
  const tenant = readText(fields['tenant']);
  if (id === undefined || scopes === undefined) return undefined;
  return { id, scopes, ...(tenant !== undefined && { tenant }) };
}

function readJwt(spot: Spot | undefined): JwtConfig | undefined {
  const fields = readFields(spot, JWT, {
    secret: 'only public keys are taken; give jwksUrl or jwks.',
  });
  if (spot === undefined || fields === undefined) return undefined;
  const issuer = readText(fields['issuer'] ?? fault(spot, 'issuer is missing.'));
  const audience = readAudience(
    fields['audience'] ??
      fault(spot, 'audience is missing: the name that tokens for this gate bear.'),
  );
  const tenantClaim = readText(fields['tenantClaim']);
  if ((fields['jwksUrl'] === undefined) === (fields['jwks'] === undefined)) {
    return fault(spot, 'needs either jwksUrl or jwks.');
  }
  const keys = readKeysUrl(fields['jwksUrl']) ?? readKeys(fields['jwks']);
  if (issuer === undefined || audience === undefined || keys === undefined) return undefined;
  return {
    keys,
    issuer,
    audience,
    principalClaim: readText(fields['principalClaim']) ?? 'sub',
    scopeClaim: readText(fields['scopeClaim']) ?? 'scope',
    ...(tenantClaim !== undefined && { tenantClaim }),
  };
}

function readAudience(spot: Spot | undefined): readonly string[] | undefined {
  if (spot === undefined) return undefined;
  const one = typeof toValue(spot) === 'string' ? readText(spot) : undefined;
  const all = one === undefined ? readTexts(spot) : [one];
  // An empty list would be no check at all.
  return all?.length === 0 ? fault(spot, 'must name an audience.') : all;
}

function readKeysUrl(spot: Spot | undefined): JwtConfig['keys'] | undefined {
  const text = readText(spot);
  if (spot === undefined || text === undefined) return undefined;
  const url = URL.parse(text);
  if (url === null || !isSafeUrl(url)) return fault(spot, 'must be an https URL.');
  return { kind: 'url', url: url.href };
}

function readKeys(spot: Spot | undefined): JwtConfig['keys'] | undefined {
  if (spot === undefined) return undefined;
  const keys = readItems(readFields(spot, ['keys'])?.['keys'] ?? fault(spot, 'keys is missing.'));
  if (keys === undefined) return undefined;
  if (keys.length === 0) return fault(spot, 'has no keys.');
  for (const key of keys) {
    const value = toValue(key);
    if (typeof value !== 'object' || value === null || !('kty' in value)) {
      return fault(key, 'must be a JSON Web Key.');
    }
    if (value.kty === 'oct' || 'd' in value || 'k' in value) {
      return fault(key, 'must be a public key; a shared or private one never stands in this file.');
    }
  }
  const jwks = toValue(spot) as JSONWebKeySet; // each key was looked at above
  return { kind: 'inline', jwks };
}
