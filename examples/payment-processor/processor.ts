/**
 * A sandbox payment processor over HTTP: `POST /charges` under an `Idempotency-Key`, `GET
 * /charges?key=` and `GET /charges/count`. It represents an external system, so it shares no code with
 * the shops that use it.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { CARDS } from './cards.ts';
import type { Charges, NewCharge } from './charges.ts';
import { openCharges } from './charges.ts';

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
  const server = createServer((request, response) => {
    answer(charges, now, slowMs, request, response).catch((error: unknown) => {
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

async function answer(
  charges: Charges,
  now: () => Date,
  slowMs: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://processor');
  const route = `${request.method} ${url.pathname}`;
  if (route === 'GET /charges/count') return send(response, 200, { count: charges.count() });
  if (route === 'GET /charges') {
    const charge = charges.find(url.searchParams.get('key') ?? '');
    return send(response, 200, { charges: charge === undefined ? [] : [charge] });
  }
  if (route !== 'POST /charges') return send(response, 404, { error: 'not_found' });

  const wanted = toNewCharge(request.headers['idempotency-key'], await readBody(request));
  if (wanted === undefined) return send(response, 400, { error: 'invalid_charge' });
  const behaviour = CARDS[wanted.card] ?? 'decline';
  if (behaviour === 'decline') return send(response, 402, { error: 'card_declined' });
  if (behaviour === 'fail-before') return send(response, 500, { error: 'processor_down' });

  const { status, body } = toAnswer(charges.charge(wanted, now()));
  if (status !== 409) {
    // Whatever happens to the answer from here on, the charge has been made.
    if (behaviour === 'charge-slowly') await wait(slowMs);
    if (behaviour === 'charge-then-reset') return void response.socket?.resetAndDestroy();
    if (behaviour === 'charge-then-fail') return send(response, 500, { error: 'processor_down' });
  }
  return send(response, status, body);
}

function toAnswer(charging: ReturnType<Charges['charge']>): Answer {
  switch (charging.kind) {
    case 'charged':
      return { status: 201, body: charging.charge };
    case 'again':
      return { status: 200, body: charging.charge };
    case 'conflict':
      return { status: 409, body: { error: 'key_reused' } };
  }
}

function toNewCharge(key: string | string[] | undefined, text: string): NewCharge | undefined {
  if (typeof key !== 'string' || key.length === 0 || key.length > 255) return undefined;
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof body !== 'object' || body === null) return undefined;
  const { card, amount_cents, currency } = body as Readonly<Record<string, unknown>>;
  if (typeof card !== 'string' || typeof currency !== 'string' || currency.length !== 3) {
    return undefined;
  }
  if (
    typeof amount_cents !== 'number' ||
    !Number.isSafeInteger(amount_cents) ||
    amount_cents <= 0
  ) {
    return undefined;
  }
  return { key, card, amount_cents, currency };
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
