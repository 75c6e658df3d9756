/**
 * Requests a charge from the payment processor, and classifies the answer or its absence: charged,
 * finally refused, certainly not sent, or unknown. Only unknown is dangerous.
 */
import type { Charge } from './charges.ts';

interface ChargeRequest {
  readonly key: string;
  readonly card: string;
  readonly amountCents: number;
}

export type ChargeOutcome =
  | { readonly kind: 'charged'; readonly chargeId: string }
  /** The processor refused, and will refuse again. */
  | { readonly kind: 'refused'; readonly reason: 'card_declined' | 'key_reused' | 'invalid_charge' }
  /** Nothing reached the processor. */
  | { readonly kind: 'not-sent' }
  /** It may or may not have charged. */
  | { readonly kind: 'in-doubt'; readonly because: string };

export interface ProcessorClient {
  /** Charges once per key, however often it is called. */
  charge(request: ChargeRequest): Promise<ChargeOutcome>;
  /** Whether there is a charge under the key; `undefined` when the processor does not answer. */
  lookUp(key: string): Promise<{ readonly chargeId: string | null } | undefined>;
}

const TIMEOUT_MS = 10_000;

export function processorClient(
  address: string | (() => Promise<string>),
  timeoutMs = TIMEOUT_MS,
): ProcessorClient {
  const find = typeof address === 'string' ? async () => address : address;
  return {
    async charge({ key, card, amountCents }) {
      let answered: { readonly status: number; readonly body: unknown };
      try {
        const response = await fetch(new URL('/charges', await find()), {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'idempotency-key': key },
          body: JSON.stringify({ card, amount_cents: amountCents, currency: 'AUD' }),
          signal: AbortSignal.timeout(timeoutMs),
        });
        answered = { status: response.status, body: await response.json() };
      } catch (error) {
        return readFailure(error);
      }
      return readAnswer(answered.status, answered.body);
    },
    async lookUp(key) {
      try {
        const url = new URL('/charges', await find());
        url.searchParams.set('key', key);
        const response = await fetch(url, { signal: AbortSignal.timeout(timeoutMs) });
        if (!response.ok) return undefined;
        const { charges } = (await response.json()) as { readonly charges: readonly Charge[] };
        return { chargeId: charges[0]?.id ?? null };
      } catch {
        return undefined;
      }
    },
  };
}

/** What an answer means. Anything but a clear success or refusal is unknown. */
export function readAnswer(status: number, body: unknown): ChargeOutcome {
  const fields: Readonly<Record<string, unknown>> =
    typeof body === 'object' && body !== null ? { ...body } : {};
  const { id } = fields;
  if ((status === 200 || status === 201) && typeof id === 'string') {
    return Object.freeze({ kind: 'charged', chargeId: id });
  }
  if (status === 402) return Object.freeze({ kind: 'refused', reason: 'card_declined' });
  if (status === 409) return Object.freeze({ kind: 'refused', reason: 'key_reused' });
  if (status === 400) return Object.freeze({ kind: 'refused', reason: 'invalid_charge' });
  return Object.freeze({ kind: 'in-doubt', because: `the processor answered ${status}` });
}

/** Error codes from before the connection was made, so that no byte of the request was sent. */
const NEVER_CONNECTED = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH']);

export function readFailure(error: unknown): ChargeOutcome {
  const code = codeOf(error);
  if (code !== undefined && NEVER_CONNECTED.has(code)) return Object.freeze({ kind: 'not-sent' });
  return Object.freeze({ kind: 'in-doubt', because: code ?? 'the connection failed' });
}

/** fetch wraps the cause of a failure, sometimes more than once. */
function codeOf(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { readonly code?: unknown };
  if (typeof code === 'string') return code;
  return error.cause === undefined ? error.name : codeOf(error.cause);
}
