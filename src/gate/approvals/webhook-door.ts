/** Asks people by webhook, and takes their signed answers at `POST /approvals/ID`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Webhook } from '../policy/policy.ts';
import type { Approval } from './approval.ts';
import type { Approvals } from './approvals.ts';
import { readWebhookAnswer, sendWebhook, SIGNATURE_HEADER } from './webhook.ts';

export interface WebhookDoor {
  readonly ask: (approval: Approval) => void;
  /** Whether the request was for this door. */
  readonly take: (request: IncomingMessage, response: ServerResponse) => boolean;
}

const PATH = /^\/approvals\/([0-9a-f]{32})$/;
const LARGEST = 64 * 1024;

export function openWebhookDoor(
  { url, secretEnv }: Webhook,
  approvals: Approvals,
  report: (message: string, cause?: unknown) => void,
): WebhookDoor {
  const secret = process.env[secretEnv];
  if (secret === undefined || secret === '') {
    throw new TypeError(`the webhook needs its secret in the environment variable ${secretEnv}`);
  }
  const tell = async (approval: Approval): Promise<void> => {
    const sent = await sendWebhook(url, approval, secret, { fetch, now: Date.now() });
    if (sent.kind === 'failed') report(`the webhook was not told: ${sent.detail}`);
  };
  return {
    ask(approval) {
      void tell(approval);
    },
    take(request, response) {
      const [, id] = PATH.exec(request.url ?? '') ?? [];
      if (id === undefined) return false;
      void answer(request, id, secret, approvals).then(
        (status) => response.writeHead(status).end(),
        (error: unknown) => {
          report('an answer by webhook could not be taken', error);
          response.writeHead(500).end();
        },
      );
      return true;
    },
  };
}

async function answer(
  request: IncomingMessage,
  id: string,
  secret: string,
  approvals: Approvals,
): Promise<number> {
  // Looking decides nothing: link previews look.
  if (request.method !== 'POST') return 405;
  if (Number(request.headers['content-length'] ?? LARGEST + 1) > LARGEST) return 413;
  const signature = request.headers[SIGNATURE_HEADER];
  const reading = readWebhookAnswer(await text(request), String(signature), secret, Date.now());
  if (reading.kind === 'refused') return 403;
  const { decision, approver, display, grant } = reading.answer;
  if (reading.answer.id !== id) return 403;
  const answered = await approvals.answer(id, {
    kind: decision,
    approver,
    channel: 'webhook',
    display,
    ...(grant !== undefined && { grant }),
  });
  return answered.kind === 'decided' ? 204 : 409;
}
