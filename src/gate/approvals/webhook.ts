/**
 * Asking by a signed webhook: the card goes out, the answer comes back, both under one shared secret.
 * Where the answer arrives and what it moves is not decided here.
 */
import { createHmac } from 'node:crypto';
import { isSameInConstantTime } from '../../lib/is-same-in-constant-time.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import type { GrantScope } from '../policy/verdict.ts';
import type { Approval } from './approval.ts';
import { cardToText } from './card-text.ts';

export const SIGNATURE_HEADER = 'plimsoll-signature';

interface WebhookAnswer {
  readonly id: string;
  readonly decision: 'approve' | 'decline';
  readonly approver: string;
  readonly display: string;
  readonly grant?: GrantScope;
}

type SignatureRefusal = 'malformed' | 'stale' | 'bad-signature' | 'weak-secret';

type WebhookCheck =
  | { readonly kind: 'signed' }
  | { readonly kind: 'refused'; readonly code: SignatureRefusal };

type WebhookReading =
  | { readonly kind: 'answer'; readonly answer: WebhookAnswer }
  | { readonly kind: 'refused'; readonly code: SignatureRefusal };

type WebhookSending =
  | { readonly kind: 'sent' }
  | { readonly kind: 'failed'; readonly detail: string };

interface WebhookEdge {
  readonly fetch: typeof fetch;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Default: 5000. */
  readonly timeoutMs?: number;
}

const HEADER = /^t=(\d{1,12}),v1=([\da-f]{64})$/;
const LONGEST_MS = 5 * 60_000;
const TIMEOUT_MS = 5000;
const LEAST_SECRET = 16;
const MEMBERS = ['id', 'decision', 'approver', 'display', 'grant'];
const SCOPES: readonly unknown[] = ['call', 'arguments', 'session'] satisfies GrantScope[];

/** The value of the header. `now` is in milliseconds. */
export function signWebhook(body: string, secret: string, now: number): string {
  if (secret.length < LEAST_SECRET) {
    throw new TypeError(`a webhook secret has at least ${LEAST_SECRET} characters`);
  }
  const seconds = Math.floor(now / 1000);
  return `t=${seconds},v1=${digest(`${seconds}`, body, secret)}`;
}

export function verifyWebhook(
  body: string,
  header: string,
  secret: string,
  now: number,
): WebhookCheck {
  if (secret.length < LEAST_SECRET) return { kind: 'refused', code: 'weak-secret' };
  const [, seconds, signature] = HEADER.exec(header) ?? [];
  if (seconds === undefined || signature === undefined) {
    return { kind: 'refused', code: 'malformed' };
  }
  if (!isSameInConstantTime(signature, digest(seconds, body, secret))) {
    return { kind: 'refused', code: 'bad-signature' };
  }
  const isFresh = Math.abs(now - Number(seconds) * 1000) <= LONGEST_MS;
  return isFresh ? { kind: 'signed' } : { kind: 'refused', code: 'stale' };
}

/** The question can never be sent back as its own answer: other members are refused. */
export function readWebhookAnswer(
  body: string,
  header: string,
  secret: string,
  now: number,
): WebhookReading {
  const check = verifyWebhook(body, header, secret, now);
  if (check.kind === 'refused') return check;
  const parsed = parseStrictJson(body);
  const answer = parsed.kind === 'json' ? toAnswer(parsed.value) : undefined;
  if (answer === undefined) return { kind: 'refused', code: 'malformed' };
  return { kind: 'answer', answer };
}

/** Never throws. Redirects are not followed: the card goes where the policy says and nowhere else. */
export async function sendWebhook(
  url: string,
  { id, display, card, expiresAt }: Approval,
  secret: string,
  { fetch, now, timeoutMs = TIMEOUT_MS }: WebhookEdge,
): Promise<WebhookSending> {
  if (card === undefined) return { kind: 'failed', detail: 'the question is no longer open' };
  const text = cardToText(card);
  const expires = new Date(expiresAt).toISOString();
  const body = JSON.stringify({ kind: 'question', id, display, expires, text, card });
  try {
    const { ok, status } = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        [SIGNATURE_HEADER]: signWebhook(body, secret, now),
      },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return ok ? { kind: 'sent' } : { kind: 'failed', detail: `the webhook answered ${status}` };
  } catch (error) {
    return { kind: 'failed', detail: error instanceof Error ? error.message : String(error) };
  }
}

function digest(seconds: string, body: string, secret: string): string {
  return createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex');
}

function toAnswer(value: JsonValue): WebhookAnswer | undefined {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return undefined;
  // No array, so an object; read-only arrays escape the guard of `isArray`.
  const object = value as Readonly<Record<string, JsonValue>>;
  if (Object.keys(object).some((name) => !MEMBERS.includes(name))) return undefined;
  const { id, decision, approver, display, grant } = object;
  if (typeof id !== 'string' || typeof display !== 'string') return undefined;
  if (typeof approver !== 'string' || approver.trim() === '') return undefined;
  if (decision !== 'approve' && decision !== 'decline') return undefined;
  if (grant !== undefined && !isScope(grant)) return undefined;
  return Object.freeze({ id, decision, approver, display, ...(grant !== undefined && { grant }) });
}

function isScope(value: JsonValue): value is GrantScope {
  return SCOPES.includes(value);
}
