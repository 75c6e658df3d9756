/**
 * Finds whose JWT it is: signed by a key of the issuer, for us (RFC 8707), not expired. Only signatures
 * that need a private key count, so that no public key can be passed off as a shared secret.
 */
import type { JWTPayload, JWTVerifyGetKey } from 'jose';
import { createLocalJWKSet, createRemoteJWKSet, customFetch, errors, jwtVerify } from 'jose';
import type { Principal } from '../../effect/operation.ts';
import type { Authenticate } from '../../invoke/identity.ts';
import type { JwtConfig } from '../config/gate-config.ts';

export interface JwtOptions extends JwtConfig {
  /** For the keys of the issuer. */
  readonly fetch?: typeof fetch;
  readonly timeoutMs?: number;
  readonly now?: () => Date;
}

const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'EdDSA', 'Ed25519'];
/** Other types are tokens for another use, such as proofs and logout notices. */
const TYPES = [undefined, 'jwt', 'at+jwt', 'application/at+jwt'];
const LONGEST = 16_384;
const SKEW_SECONDS = 5;

export function jwtVerifier(options: JwtOptions): Authenticate {
  const keys = openKeys(options);
  const { issuer, audience, now = () => new Date() } = options;
  // The checker takes an empty list for "anyone's", which must never happen by accident.
  if (audience.length === 0 || issuer === '')
    throw new Error('a JWT verifier needs issuer and audience');
  return async (token) => {
    if (token.length > LONGEST) return undefined;
    try {
      const { payload, protectedHeader } = await jwtVerify(token, keys, {
        issuer,
        audience: [...audience],
        algorithms: ALGORITHMS,
        requiredClaims: ['exp', 'iss', 'aud', options.principalClaim],
        clockTolerance: SKEW_SECONDS,
        currentDate: now(),
      });
      const isUsable = TYPES.includes(protectedHeader.typ?.toLowerCase());
      return isUsable ? toPrincipal(payload, options) : undefined;
    } catch (error) {
      // Keys that cannot be had say nothing about the token; the caller answers that it does not know.
      if (isAboutKeys(error)) throw error;
      return undefined;
    }
  };
}

function openKeys({ keys, fetch: fetchKeys, timeoutMs = 5000 }: JwtOptions): JWTVerifyGetKey {
  if (keys.kind === 'inline') return createLocalJWKSet(keys.jwks);
  return createRemoteJWKSet(new URL(keys.url), {
    timeoutDuration: timeoutMs,
    cooldownDuration: 30_000,
    cacheMaxAge: 10 * 60_000,
    ...(fetchKeys !== undefined && { [customFetch]: fetchKeys }),
  });
}

function isAboutKeys(error: unknown): boolean {
  if (error instanceof errors.JWKSTimeout || error instanceof errors.JWKSInvalid) return true;
  // A plain JOSEError is how an unusable answer of the key server comes up.
  return !(error instanceof errors.JOSEError) || error.code === 'ERR_JOSE_GENERIC';
}

function toPrincipal(
  payload: JWTPayload,
  { principalClaim, tenantClaim, scopeClaim }: JwtOptions,
): Principal | undefined {
  const id = payload[principalClaim];
  const tenant = tenantClaim === undefined ? undefined : payload[tenantClaim];
  if (typeof id !== 'string' || id === '') return undefined;
  // A token of no tenant must not pass for one of every tenant.
  if (tenantClaim !== undefined && (typeof tenant !== 'string' || tenant === '')) return undefined;
  return Object.freeze({
    id,
    ...(typeof tenant === 'string' && { tenant }),
    scopes: toScopes(payload[scopeClaim]),
    ...(payload.exp !== undefined && { expiresAt: payload.exp }),
  });
}

/** One text with spaces (RFC 8693), or a list as some issuers write it. */
function toScopes(claim: unknown): readonly string[] {
  const parts: readonly unknown[] = typeof claim === 'string' ? claim.split(' ') : toList(claim);
  return parts.filter((part): part is string => typeof part === 'string' && part !== '');
}

function toList(claim: unknown): readonly unknown[] {
  return Array.isArray(claim) ? claim : [];
}
