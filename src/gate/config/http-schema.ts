/**
 * The shape of the `http` part: where the gate listens, and whose tokens it accepts. Tokens themselves must
 * not be in it, so each place where people try to put one says what to write instead.
 */
import { z } from 'zod';
import { always, oneOrMore, only, text } from '../../lib/check-shape.ts';
import { isSafeUrl } from '../../lib/is-safe-url.ts';
import { VARIABLE } from './environment.ts';
import type { HttpConfig, JwtConfig, TokenConfig } from './gate-config.ts';

const NO_TOKEN =
  'a token must not be in this file; name a variable with tokenEnv, or give its SHA-256 as tokenSha256';

const token = only(
  {
    tokenEnv: z
      .string()
      .regex(VARIABLE, 'must be the name of an environment variable, not a token')
      .exactOptional(),
    tokenSha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/i, 'must be a SHA-256 in hex: printf %s "$TOKEN" | sha256sum')
      .exactOptional(),
    principal: only({
      id: text,
      tenant: text.exactOptional(),
      scopes: z.array(text, missing('; [] is none')),
    }),
  },
  { token: NO_TOKEN },
)
  .superRefine(either('tokenEnv', 'tokenSha256'), always)
  .transform(({ tokenEnv, tokenSha256 = '', principal }): TokenConfig => {
    if (tokenEnv !== undefined) return { kind: 'environment', variable: tokenEnv, principal };
    return { kind: 'digest', sha256: tokenSha256.toLowerCase(), principal };
  });

const publicKey = z
  .looseObject({ kty: text }, 'must be a JSON Web Key')
  .refine(
    (key) => key.kty !== 'oct' && !('d' in key) && !('k' in key),
    'must be a public key; a shared or private one must not be in this file',
  );

const jwt = only(
  {
    jwksUrl: text
      .refine((written) => {
        const address = URL.parse(written);
        return address !== null && isSafeUrl(address);
      }, 'must be an https URL')
      .exactOptional(),
    jwks: only({ keys: z.array(publicKey).min(1, 'has no keys') }).exactOptional(),
    issuer: text,
    audience: oneOrMore(text, 'must name an audience: the name that tokens for this gate carry'),
    principalClaim: text.default('sub'),
    tenantClaim: text.exactOptional(),
    scopeClaim: text.default('scope'),
  },
  { secret: 'only public keys are accepted; give jwksUrl or jwks' },
)
  .superRefine(either('jwksUrl', 'jwks'), always)
  .transform(({ jwksUrl, jwks, ...rest }): JwtConfig => {
    if (jwks !== undefined) return { ...rest, keys: { kind: 'inline', jwks } };
    return { ...rest, keys: { kind: 'url', url: new URL(jwksUrl ?? '').href } };
  });

export const httpSchema: z.ZodType<HttpConfig> = only(
  {
    host: text.exactOptional(),
    port: z.int().min(0).max(65_535).exactOptional(),
    allowedHosts: z.array(text).exactOptional(),
    allowedOrigins: z.array(text).exactOptional(),
    sessionLimit: z.int().min(1).max(10_000).exactOptional(),
    sessionsPerCaller: z.int().min(1).max(10_000).exactOptional(),
    sessionIdleMinutes: z.int().min(1).max(1440).exactOptional(),
    tokens: z.array(token).default([]),
    jwt: jwt.exactOptional(),
  },
  { token: NO_TOKEN },
);

function either(
  one: string,
  other: string,
): (value: object, context: z.core.$RefinementCtx<object>) => void {
  return (value, context) => {
    if (one in value === other in value) context.addIssue(`needs either ${one} or ${other}`);
  };
}

function missing(hint: string): { error: z.core.$ZodErrorMap } {
  return { error: ({ input }) => (input === undefined ? `is missing${hint}` : undefined) };
}
