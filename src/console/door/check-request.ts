/**
 * Whether a request can come from one of our pages, or from no page at all, judged by its headers.
 * Pure; authentication comes afterwards. An absent header is never a reason to allow a change.
 */
import type { MiddlewareHandler } from 'hono';
import type { ReceiptRow } from '../../ledger/tables.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';

interface RequestFacts {
  readonly method: string;
  readonly path: string;
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site`, which old browsers and scripts do not send. */
  readonly site: string | undefined;
  /** `Content-Type` */
  readonly type: string | undefined;
  /** It carries a secret that browsers do not send on their own. */
  readonly hasBearer: boolean;
}

/** Our origins by the value of the Host header. */
export type OwnHosts = ReadonlyMap<string, string>;

const FORM = /^application\/x-www-form-urlencoded\s*(;|$)/i;
const JSON_TYPE = /^application\/json\s*(;|$)/i;

export function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

export function isApi(path: string): boolean {
  return path === '/api' || path.startsWith('/api/');
}

export function checkRequest(facts: RequestFacts, hosts: OwnHosts): Problem | undefined {
  const { method, host, origin, site } = facts;
  const own = host === undefined ? undefined : hosts.get(host.toLowerCase());
  if (own === undefined) {
    return toProblem('host-refused', 'The request names a host that is not this console.');
  }
  const isForeign = site !== undefined && site !== 'same-origin';
  const mayBeForeign = isRead(method) && site === 'none';
  if (isForeign && !mayBeForeign) return FOREIGN;
  if (origin !== undefined && origin !== own) return FOREIGN;
  if (isRead(method)) return undefined;
  if (method !== 'POST') {
    return toProblem('method-not-allowed', 'The console accepts only GET and POST.');
  }
  if (origin === undefined && !facts.hasBearer) return FOREIGN;
  return checkType(facts);
}

const FOREIGN: Problem = toProblem(
  'origin-refused',
  'The request does not come from a page of this console.',
  { remedy: 'Open the console in the browser; a script sends the API token.' },
);

/** Pages send forms and scripts send JSON; nothing else is accepted, since other sites could send it. */
function checkType({ path, type = '' }: RequestFacts): Problem | undefined {
  if (isApi(path)) {
    if (JSON_TYPE.test(type)) return undefined;
    return toProblem('unsupported-media-type', 'The API accepts only application/json.');
  }
  if (FORM.test(type)) return undefined;
  return toProblem(
    'unsupported-media-type',
    'Pages accept application/x-www-form-urlencoded; /api accepts JSON.',
    { remedy: 'Send `Content-Type: application/x-www-form-urlencoded`.' },
  );
}

/** Headers of every response: only our own scripts, no framing, no caching. */
const POLICY = [
  "default-src 'none'",
  "style-src 'self'",
  "script-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join('; ');

const HEADERS: Readonly<Record<string, string>> = Object.freeze({
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  // Not `no-referrer`: browsers then send `Origin: null` with our own forms.
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=()',
});

export function securityHeaders(): MiddlewareHandler {
  return async (context, next) => {
    await next();
    for (const [name, value] of Object.entries(HEADERS)) context.res.headers.set(name, value);
    if (!context.res.headers.has('cache-control')) {
      context.res.headers.set('cache-control', 'no-store');
    }
  };
}

/** What a receipt says beyond its columns. An invalid body says nothing; the audit reports it. */
interface BodyWords {
  readonly rule?: string;
  readonly via?: string;
  readonly milliseconds?: number;
  readonly attempts?: number;
  /** Nobody knows what the call would have done; its tier is what its name suggests. */
  readonly isUnknown: boolean;
}

export function readBody({ body }: Pick<ReceiptRow, 'body'>): BodyWords {
  const { rule, via, milliseconds, attempts, effect } = readObject(body);
  return {
    ...(typeof rule === 'string' && { rule }),
    ...(typeof via === 'string' && { via }),
    ...(typeof milliseconds === 'number' && { milliseconds }),
    ...(typeof attempts === 'number' && { attempts }),
    isUnknown: effect === 'unknown',
  };
}

function readObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
