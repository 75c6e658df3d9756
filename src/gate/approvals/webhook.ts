/**
 * Asking by a signed webhook: the card goes out, the answer comes back, both under one shared secret.
 * Where the answer arrives and what it decides is up to the webhook door.
 */
import { createHmac } from 'node:crypto';
import { isSameInConstantTime } from '../../lib/secret.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import type { GrantScope } from '../policy/verdict.ts';
import { GRANT_SCOPES } from '../policy/verdict.ts';
import type { Approval } from './approval.ts';
import { describeState } from './approval.ts';
import { cardToText } from './card-text.ts';

export const SIGNATURE_HEADER = 'plimsoll-signature';

export interface WebhookAnswer {
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

/**
 * - `sent`: the receiver has it; the answer is posted to the answer URL.
 * - `answered`: the response holds the signed answer.
 * - `later`: the receiver said where to ask for the answer, and after how many seconds.
 */
type WebhookSending =
  | { readonly kind: 'sent' }
  | { readonly kind: 'answered'; readonly answer: WebhookAnswer }
  | { readonly kind: 'later'; readonly url: string; readonly afterSeconds: number }
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
const LARGEST_RESPONSE = 64 * 1024;
const POLL_SECONDS = { least: 1, usual: 3, most: 30 };
const MEMBERS = ['id', 'decision', 'approver', 'display', 'grant'];
const SCOPES: readonly unknown[] = GRANT_SCOPES;

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

/** Never throws. `answerUrl` is where the signed answer can be posted, if anywhere. */
export async function sendWebhook(
  url: string,
  { id, display, card, expiresAt }: Approval,
  secret: string,
  edge: WebhookEdge,
  answerUrl?: string,
): Promise<WebhookSending> {
  if (card === undefined) return { kind: 'failed', detail: 'the question is no longer open' };
  const text = cardToText(card);
  const expires = new Date(expiresAt).toISOString();
  const question = { kind: 'question', id, display, expires, text, card };
  const body = JSON.stringify({ ...question, ...(answerUrl !== undefined && { answerUrl }) });
  return exchange('POST', url, body, secret, edge);
}

/** Never throws. Tells the receiver that nobody needs to answer any more. */
export async function sendWebhookEnd(
  url: string,
  approval: Approval,
  secret: string,
  edge: WebhookEdge,
): Promise<WebhookSending> {
  const { id, state, approver, channel } = approval;
  const text = `The question was ${describeState(approval)}.`;
  const body = JSON.stringify({ kind: 'ended', id, state, approver, channel, text });
  return exchange('POST', url, body, secret, edge);
}

/** Never throws. Asks where the receiver said that the answer will be. */
export function pollWebhook(
  url: string,
  secret: string,
  edge: WebhookEdge,
): Promise<WebhookSending> {
  return exchange('GET', url, undefined, secret, edge);
}

/** Redirects are not followed: the card goes where the policy says and nowhere else. */
async function exchange(
  method: 'POST' | 'GET',
  url: string,
  body: string | undefined,
  secret: string,
  { fetch, now, timeoutMs = TIMEOUT_MS }: WebhookEdge,
): Promise<WebhookSending> {
  try {
    const response = await fetch(url, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        [SIGNATURE_HEADER]: signWebhook(body ?? '', secret, now),
      },
      ...(body !== undefined && { body }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return await readResponse(response, url, secret, now);
  } catch (error) {
    return { kind: 'failed', detail: error instanceof Error ? error.message : String(error) };
  }
}

async function readResponse(
  response: Response,
  url: string,
  secret: string,
  now: number,
): Promise<WebhookSending> {
  const { ok, status, headers } = response;
  const signature = headers.get(SIGNATURE_HEADER);
  const text = await readBounded(response);
  if (!ok) return { kind: 'failed', detail: `the webhook answered ${status}` };
  if (signature !== null) {
    const reading = readWebhookAnswer(text, signature, secret, now);
    if (reading.kind === 'answer') return { kind: 'answered', answer: reading.answer };
    return { kind: 'failed', detail: `the answer in the response is refused: ${reading.code}` };
  }
  const location = headers.get('location');
  if (status !== 202 || location === null) return { kind: 'sent' };
  const target = new URL(location, url);
  // Signed requests go to the receiver that the policy names, and to nobody it points at.
  if (target.origin !== new URL(url).origin) {
    return { kind: 'failed', detail: 'the webhook named another origin for its answer' };
  }
  const wanted = Number(headers.get('retry-after') ?? POLL_SECONDS.usual);
  const afterSeconds = Number.isFinite(wanted) ? wanted : POLL_SECONDS.usual;
  const { least, most } = POLL_SECONDS;
  return {
    kind: 'later',
    url: target.href,
    afterSeconds: Math.min(Math.max(afterSeconds, least), most),
  };
}

async function readBounded({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  const stream = body as AsyncIterable<Uint8Array> | null; // fetch gives bytes
  for await (const chunk of stream ?? []) {
    length += chunk.length;
    if (length > LARGEST_RESPONSE) throw new Error('the response is too large');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
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
