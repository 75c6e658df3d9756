/**
 * The shape of `plimsoll.yaml` as written. Credentials must not be in it, so each place where people try
 * to put one says what to write instead.
 */
import { z } from 'zod';
import { always, only, text, oneOrMore } from '../../lib/check-shape.ts';
import { isSafeUrl } from '../../lib/is-safe-url.ts';
import { LEAST_MESSAGE, MESSAGE_LIMIT } from '../protocol/read-frame.ts';
import { hasReference, VARIABLE } from './environment.ts';
import type {
  HttpConfig,
  ProcessServer,
  RemoteServer,
  JwtConfig,
  TokenConfig,
} from './gate-config.ts';

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

/**
 * The shape of the `http` part: where the gate listens, and whose tokens it accepts. Tokens themselves must
 * not be in it, so each place where people try to put one says what to write instead.
 */
const httpSchema: z.ZodType<HttpConfig> = only(
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

const SERVER_NAME = /^(?=.{1,32}$)[a-z0-9-]+(?:_[a-z0-9-]+)*$/i;
const NAME_RULE =
  'a name is 1 to 32 letters, digits or hyphens, with single underscores between them';
const OF_PROCESS = ['command', 'args', 'env', 'cwd'] as const;
const OF_REMOTE = ['url', 'headers', 'oauth'] as const;
const HTTP_TYPES: readonly unknown[] = ['http', 'streamable-http', 'streamableHttp'];
/** Headers whose value is a credential as a rule. */
const CREDENTIALS = ['authorization', 'proxy-authorization', 'cookie', 'x-api-key', 'api-key'];
const PASSWORD = /^postgres(?:ql)?:\/\/[^/@]*:([^/@]+)@/;

/** Of a server as written: its folder is relative to the file, and its name is the key. */
export type WrittenServer = Omit<ProcessServer, 'name'> | Omit<RemoteServer, 'name'>;

export interface WrittenConfig {
  readonly mcpServers: Readonly<Record<string, WrittenServer>>;
  /** Or the name of its file. */
  readonly policy?: object | string;
  readonly ledger?: string;
  readonly lock?: string;
  readonly http?: HttpConfig;
  readonly messageLimit?: number;
}

/** A text, perhaps empty, where `${NAME}` may be. */
const template = z.string();

/** With a reference in it, it can only be judged when it is filled in. */
const urlText = text.superRefine((written, context) => {
  if (hasReference(written)) return;
  const { protocol = '', username, password } = URL.parse(written) ?? {};
  if (!/^https?:$/.test(protocol)) context.addIssue('must be an http(s) URL');
  else if (username !== '' || password !== '')
    context.addIssue('a password must not be in this file; use headers with ${NAME}');
});

const headerMap = z.record(z.string(), template).superRefine((written, context) => {
  for (const [name, value] of Object.entries(written)) {
    if (!CREDENTIALS.includes(name.toLowerCase())) continue;
    if (typeof value !== 'string' || hasReference(value)) continue;
    const message = 'a credential must not be in this file; write ${NAME} and set NAME';
    context.addIssue({ code: 'custom', path: [name], message });
  }
}, always);

const oauthTerms = only(
  {
    clientId: text.exactOptional(),
    scopes: z.array(text).exactOptional(),
    clientMetadataUrl: text
      .refine((written) => {
        const { protocol, pathname } = URL.parse(written) ?? {};
        return protocol === 'https:' && pathname !== '/';
      }, 'must be an https URL with a path')
      .exactOptional(),
  },
  { clientSecret: 'a secret must not be in this file; the gate is a public client with PKCE' },
);

const idempotency = only({
  header: z
    .string()
    .regex(/^[\w!#$%&'*+.^`|~-]+$/, 'must be the name of a header')
    .exactOptional(),
  argument: text.exactOptional(),
  meta: text.exactOptional(),
});

const serverShape = only(
  {
    command: text.exactOptional(),
    args: z.array(template).exactOptional(),
    env: z.record(z.string(), template).exactOptional(),
    cwd: text.exactOptional(),
    url: urlText.exactOptional(),
    headers: headerMap.exactOptional(),
    oauth: oauthTerms.exactOptional(),
    type: z.unknown().exactOptional(),
    trusted: z.boolean().exactOptional(),
    mode: z.enum(['sandbox', 'live']).exactOptional(),
    idempotency: idempotency.exactOptional(),
    disabled: z.boolean().default(false),
  },
  {
    serverUrl: 'is `url` here',
    token: 'a token must not be in this file; write headers with `Bearer ${NAME}`',
  },
);

const server = serverShape
  .superRefine((written, context) => {
    const isProcess = 'command' in written;
    if (isProcess === 'url' in written) {
      context.addIssue('needs either command (a server to start) or url (a server over HTTP)');
      return;
    }
    const [mine, other] = isProcess ? ['command', 'url'] : ['url', 'command'];
    for (const key of isProcess ? OF_REMOTE : OF_PROCESS) {
      const message = `goes with ${other}, not with ${mine}`;
      if (key in written) context.addIssue({ code: 'custom', path: [key], message });
    }
    const types = isProcess ? ['stdio'] : HTTP_TYPES;
    if (!('type' in written) || types.includes(written.type)) return;
    const message = `must be ${isProcess ? 'stdio' : `one of ${HTTP_TYPES.join(', ')}`}`;
    context.addIssue({ code: 'custom', path: ['type'], message });
  }, always)
  .transform(toWrittenServer);

function toWrittenServer(given: z.infer<typeof serverShape>): WrittenServer {
  const { command, args = [], env = {}, cwd = '.', ...remote } = given;
  const { url = '', headers = {}, oauth, type: _, ...traits } = remote;
  if (command !== undefined) return { kind: 'process', ...traits, command, args, env, cwd };
  return { kind: 'remote', ...traits, url, headers, ...(oauth !== undefined && { oauth }) };
}

function checkNames(
  servers: Readonly<Record<string, unknown>>,
  context: z.core.$RefinementCtx,
): void {
  const seen = new Map<string, string>();
  const report = (name: string, message: string): void =>
    context.addIssue({ code: 'custom', path: [name], message, params: { onKey: true } });
  for (const name of Object.keys(servers)) {
    const twin = seen.get(name.toLowerCase());
    if (!SERVER_NAME.test(name)) report(name, NAME_RULE);
    if (twin !== undefined) report(name, `differs from ${twin} in case only`);
    seen.set(name.toLowerCase(), name);
  }
}

const ledger = template.superRefine((address, context) => {
  if (/^sqlite:./.test(address)) return;
  const password = PASSWORD.exec(address)?.[1];
  if (!/^postgres(?:ql)?:\/\//.test(address))
    context.addIssue('must be sqlite:FILE or postgres://…');
  else if (password !== undefined && !/^\$\{[^}]+\}$/.test(password))
    context.addIssue('a password must not be in this file; write ${NAME} in its place');
});

export const configSchema: z.ZodType<WrittenConfig> = only(
  {
    mcpServers: z.record(z.string(), server).superRefine(checkNames, always),
    policy: z
      .custom<string | object>(
        (value) => isObject(value) || (typeof value === 'string' && value.trim() !== ''),
        'must be a mapping, or the name of its file',
      )
      .exactOptional(),
    ledger: ledger.exactOptional(),
    lock: text.exactOptional(),
    http: httpSchema.exactOptional(),
    messageLimit: z.int().min(LEAST_MESSAGE).max(MESSAGE_LIMIT).exactOptional(),
  },
  { servers: 'is `mcpServers` here' },
);

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
