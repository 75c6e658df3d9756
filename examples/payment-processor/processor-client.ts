/**
 * Requests a charge from the payment processor, and classifies the answer or its absence: charged,
 * finally refused, certainly not sent, or unknown. Only unknown is dangerous.
 */
import type { Charge } from './charges.ts';
import type { KeptCard } from './vault.ts';

interface ChargeRequest {
  readonly key: string;
  readonly card: string;
  readonly amountCents: number;
  /** Default: AUD. */
  readonly currency?: string;
}

interface RefundRequest {
  readonly key: string;
  readonly chargeId: string;
  readonly amountCents: number;
}

export type ChargeOutcome =
  /** `chargeId` is the refund's where a refund was asked for. */
  | { readonly kind: 'charged'; readonly chargeId: string }
  /** The processor refused, and will refuse again. */
  | { readonly kind: 'refused'; readonly reason: string }
  /** Nothing reached the processor. */
  | { readonly kind: 'not-sent' }
  /** It may or may not have charged. */
  | { readonly kind: 'in-doubt'; readonly because: string };

export interface ProcessorClient {
  /** Charges once per key, however often it is called. */
  charge(request: ChargeRequest): Promise<ChargeOutcome>;
  /** Gives back once per key. */
  refund(request: RefundRequest): Promise<ChargeOutcome>;
  /** The charge under the key, or the promise that there never will be one (`null`). */
  giveUp(key: string): Promise<{ readonly chargeId: string | null } | undefined>;
  /** The card for a browser's token: a refusal, or `undefined` when the processor does not answer. */
  keepCard(
    key: string,
    token: string,
  ): Promise<(KeptCard & { readonly kind: 'kept' }) | { readonly kind: 'refused' } | undefined>;
  /** Whether there is a charge under the key; `undefined` when the processor does not answer. */
  lookUp(key: string): Promise<{ readonly chargeId: string | null } | undefined>;
}

const TIMEOUT_MS = 10_000;

export function processorClient(
  address: string | (() => Promise<string>),
  timeoutMs = TIMEOUT_MS,
): ProcessorClient {
  const find = typeof address === 'string' ? async () => address : address;
  async function post(path: string, key: string, body: object) {
    const response = await fetch(new URL(path, await find()), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': key },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return { status: response.status, body: await response.json() };
  }
  async function ask(path: string, key: string, body: object): Promise<ChargeOutcome> {
    try {
      const answered = await post(path, key, body);
      return readAnswer(answered.status, answered.body);
    } catch (error) {
      return readFailure(error);
    }
  }
  return {
    charge: ({ key, card, amountCents, currency = 'AUD' }) =>
      ask('/charges', key, { card, amount_cents: amountCents, currency }),
    refund: ({ key, chargeId, amountCents }) =>
      ask('/refunds', key, { charge_id: chargeId, amount_cents: amountCents }),
    async giveUp(key) {
      const answered = await post('/charges/void', key, {}).catch(() => undefined);
      if (answered?.status !== 200) return undefined;
      const { charge } = answered.body as { readonly charge: Charge | null };
      return { chargeId: charge?.id ?? null };
    },
    async keepCard(key, token) {
      const answered = await post('/cards', key, { token }).catch(() => undefined);
      if (answered?.status === 400) return { kind: 'refused' };
      if (answered?.status !== 201) return undefined;
      return { kind: 'kept', ...(answered.body as KeptCard) };
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

/** Final refusals; a decline tells its own reason. */
const REFUSALS: Readonly<Record<number, string>> = Object.freeze({
  400: 'invalid_charge',
  402: 'card_declined',
  409: 'key_reused',
  410: 'key_voided',
  422: 'amount_too_large',
});

/** What an answer means. Anything but a clear success or refusal is unknown. */
export function readAnswer(status: number, body: unknown): ChargeOutcome {
  const fields: Readonly<Record<string, unknown>> =
    typeof body === 'object' && body !== null ? { ...body } : {};
  const { id } = fields;
  if ((status === 200 || status === 201) && typeof id === 'string') {
    return Object.freeze({ kind: 'charged', chargeId: id });
  }
  const reason = REFUSALS[status];
  if (reason !== undefined) {
    const { error } = fields;
    const isTold = status === 402 && typeof error === 'string';
    return Object.freeze({ kind: 'refused', reason: isTold ? error : reason });
  }
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
