/**
 * A sandbox payment processor over HTTP: cards, charges and refunds, each under an `Idempotency-Key`; the
 * README lists the routes. It represents an external system, so it shares no code with
 * the shops that use it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { CARDS } from './cards.ts';
import type { Charges, NewCharge, NewRefund } from './charges.ts';
import { openCharges } from './charges.ts';
import { Vault } from './vault.ts';

export interface ProcessorOptions {
  /** A SQLite file, or `:memory:`. */
  readonly database: string;
  /** Default: any free port. */
  readonly port?: number;
  /** How long `card_slow` takes. */
  readonly slowMs?: number;
  readonly now?: () => Date;
}

export interface Processor extends AsyncDisposable {
  readonly url: string;
}

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

const LONGEST_BODY = 64 * 1024;

export async function openProcessor(options: ProcessorOptions): Promise<Processor> {
  const charges = openCharges(options.database);
  const { now = () => new Date(), slowMs = 1500, port = 0 } = options;
  const bank = { charges, vault: new Vault(charges.database), now, slowMs };
  const server = createServer((request, response) => {
    answer(bank, request, response).catch((error: unknown) => {
      process.stderr.write(`processor: ${String(error)}\n`);
      response.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address() as AddressInfo; // it listens on a port, so this is one
  return {
    url: `http://127.0.0.1:${address.port}`,
    [Symbol.asyncDispose]: async () => {
      await new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      });
      charges.close();
    },
  };
}

interface Bank {
  readonly charges: Charges;
  readonly vault: Vault;
  readonly now: () => Date;
  readonly slowMs: number;
}

async function answer(
  bank: Bank,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { charges, vault, now } = bank;
  const url = new URL(request.url ?? '/', 'http://processor');
  const route = `${request.method} ${url.pathname}`;
  const asked = url.searchParams.get('key') ?? '';
  if (route === 'GET /charges/count') return send(response, 200, { count: charges.count() });
  if (route === 'GET /books') return send(response, 200, charges.all());
  if (route === 'GET /charges') {
    const charge = charges.find(asked);
    return send(response, 200, { charges: charge === undefined ? [] : [charge] });
  }
  if (route === 'GET /refunds') {
    const known = charges.findRefund(asked);
    return send(response, 200, { refunds: known === undefined ? [] : [known] });
  }
  const key = toKey(request.headers['idempotency-key']);
  const body = toObject(await readBody(request));
  switch (route) {
    case 'POST /charges':
      return answerCharge(bank, toNewCharge(key, body), response);
    case 'POST /refunds': {
      const { status, body: told } = refund(bank, toNewRefund(key, body));
      return send(response, status, told);
    }
    case 'POST /charges/void':
      if (key === undefined) return send(response, 400, { error: 'invalid_charge' });
      return send(response, 200, { charge: charges.giveUp(key, now()) ?? null });
    case 'POST /captures': {
      const token = vault.capture(String(body?.['card']), now());
      if (token === undefined) return send(response, 400, { error: 'unknown_card' });
      return send(response, 201, { token });
    }
    case 'POST /cards': {
      const card = key && vault.keep(String(body?.['token']), key, now());
      return card ? send(response, 201, card) : send(response, 400, { error: 'invalid_token' });
    }
    case 'POST /cards/change': {
      const isKnown = vault.change(String(body?.['id']), String(body?.['card']));
      return send(response, isKnown ? 200 : 404, {});
    }
    default:
      return send(response, 404, { error: 'not_found' });
  }
}

async function answerCharge(
  { charges, vault, now, slowMs }: Bank,
  wanted: NewCharge | undefined,
  response: ServerResponse,
): Promise<void> {
  if (wanted === undefined) return send(response, 400, { error: 'invalid_charge' });
  const behaviour = CARDS[vault.testCard(wanted.card)] ?? { charge: 'decline' };
  const known = charges.find(wanted.key);
  const refused = charges.refusalOf(wanted.key);
  if (refused !== undefined) return send(response, 402, { error: refused });
  if (known === undefined && behaviour.charge === 'decline') {
    const error = charges.refuse(wanted.key, behaviour.reason ?? 'card_declined', now());
    return send(response, 402, { error });
  }
  if (behaviour.charge === 'fail-before') return send(response, 500, { error: 'processor_down' });

  const { status, body } = toAnswer(charges.charge(wanted, now()));
  if (status !== 409) {
    // Whatever happens to the answer from here on, the charge has been made.
    if (behaviour.charge === 'charge-slowly') await wait(slowMs);
    if (behaviour.charge === 'charge-then-reset') return void response.socket?.resetAndDestroy();
    if (behaviour.charge === 'charge-then-fail') {
      return send(response, 500, { error: 'processor_down' });
    }
  }
  return send(response, status, body);
}

function refund({ charges, vault, now }: Bank, wanted: NewRefund | undefined): Answer {
  if (wanted === undefined) return { status: 400, body: { error: 'invalid_refund' } };
  const card = charges.chargeById(wanted.charge_id)?.card;
  const behaviour = card === undefined ? undefined : CARDS[vault.testCard(card)];
  const refused = charges.refusalOf(wanted.key);
  if (refused !== undefined) return { status: 402, body: { error: refused } };
  if (behaviour?.refusesRefunds === true && charges.findRefund(wanted.key) === undefined) {
    return { status: 402, body: { error: charges.refuse(wanted.key, 'refund_refused', now()) } };
  }
  const refunding = charges.refund(wanted, now());
  switch (refunding.kind) {
    case 'refunded':
      return { status: 201, body: refunding.refund };
    case 'again':
      return { status: 200, body: refunding.refund };
    case 'conflict':
      return { status: 409, body: { error: 'key_reused' } };
    case 'no-charge':
      return { status: 404, body: { error: 'no_such_charge' } };
    case 'too-much':
      return { status: 422, body: { error: 'amount_too_large' } };
  }
}

function toAnswer(charging: ReturnType<Charges['charge']>): Answer {
  switch (charging.kind) {
    case 'charged':
      return { status: 201, body: charging.charge };
    case 'again':
      return { status: 200, body: charging.charge };
    case 'conflict':
      return { status: 409, body: { error: 'key_reused' } };
    case 'voided':
      return { status: 410, body: { error: 'key_voided' } };
  }
}

type Body = Readonly<Record<string, unknown>>;

function toKey(key: string | string[] | undefined): string | undefined {
  return typeof key === 'string' && key.length > 0 && key.length <= 255 ? key : undefined;
}

function toObject(text: string): Body | undefined {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? (body as Body) : undefined; // out of JSON
  } catch {
    return undefined;
  }
}

function toNewCharge(key: string | undefined, body: Body | undefined): NewCharge | undefined {
  const { card, amount_cents, currency } = body ?? {};
  if (key === undefined || typeof card !== 'string' || typeof currency !== 'string') {
    return undefined;
  }
  if (currency.length !== 3 || !isAmount(amount_cents)) return undefined;
  return { key, card, amount_cents, currency };
}

function toNewRefund(key: string | undefined, body: Body | undefined): NewRefund | undefined {
  const { charge_id, amount_cents } = body ?? {};
  if (key === undefined || typeof charge_id !== 'string' || !isAmount(amount_cents)) {
    return undefined;
  }
  return { key, charge_id, amount_cents };
}

function isAmount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
}

async function readBody(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > LONGEST_BODY) return '';
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
