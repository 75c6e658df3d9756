/**
 * Visitors of a real console who may say anything but are not allowed in, and one who is and whose
 * browser is misused by another page. A question that they answer is a wrong allow, and so is anything
 * that they are shown of it.
 */
import { ConsoleDoor } from '../../test/support/console-door.ts';
import type { Chance } from './chance.ts';
import { toOdd } from './client-messages.ts';

export interface ConsoleFuzz {
  readonly chance: Chance;
  readonly messages: number;
  readonly wrong: (bytes: Uint8Array, why: string) => void;
  readonly threw: (where: string, error: unknown) => void;
  /** Before each message. */
  readonly sent: () => void;
}

const AT_ONCE = 8;
/** In the arguments of the question that waits. */
const PAYEE = 'alice';

export async function fuzzConsole(fuzz: ConsoleFuzz): Promise<void> {
  const { chance, messages } = fuzz;
  await using door = await ConsoleDoor.entered();
  const approval = await door.ask();
  for (let sent = 0; sent < messages; sent += AT_ONCE) {
    const batch = Array.from({ length: Math.min(AT_ONCE, messages - sent) }, async () => {
      fuzz.sent();
      const { path, ...visit } = toVisit(chance, door, approval);
      const what = `${visit.method} ${path} ${JSON.stringify(visit.headers)} ${visit.body}`;
      try {
        const { status, text } = await door.send(path, visit);
        if (status >= 500) fuzz.threw(what, new Error(`status ${status}`));
        if (!('cookie' in visit.headers) && text.includes(PAYEE)) {
          fuzz.wrong(Buffer.from(what), 'the console shows a question to somebody outside');
        }
      } catch {
        // The client's own library does not send everything.
      }
    });
    await Promise.all(batch);
    if ((await door.stateOf(approval)) !== 'PENDING') {
      fuzz.wrong(Buffer.from(`question ${approval.id}`), 'the console took an answer from outside');
      break;
    }
  }
  for (const report of door.reports) fuzz.threw('reported by the console', new Error(report));
}

interface Visit {
  readonly path: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

function toVisit(
  chance: Chance,
  door: ConsoleDoor,
  { id, display }: { readonly id: string; readonly display: string },
): Visit {
  const paths = [
    `/api/approvals/${id}/answer`,
    `/approvals/${id}`,
    `/approvals/${id}/answer`,
    `/api/approvals/${id}`,
    '/api/approvals',
    '/api/calls?limit=5',
    '/api/session',
    '/api/budgets?principal=x',
    '/enter',
    '/',
    '/tools',
    '/assets/console.css',
    `/assets/..%2f..%2fapi/approvals/${id}`,
    `//api/approvals/${id}/answer`,
    `/API/approvals/${id}/answer`,
    `/api/approvals/${id}%00/answer`,
    '/api/approvals/__proto__',
    '/calls?tool=%27%22%3E&before=-1',
  ];
  const own = new URL(door.origin);
  // A browser of somebody who is in sends its cookie along, but no other page knows the form's secret.
  const isMisused = chance.oneIn(3);
  const headers: Record<string, string> = {
    host: chance.oneIn(6) ? chance.pick(['evil.test', '127.0.0.1', '', 'localhost:1']) : own.host,
    'content-type': chance.pick([
      'application/json',
      'application/x-www-form-urlencoded',
      'text/plain',
      'multipart/form-data; boundary=x',
      'application/json; charset=utf-7',
    ]),
    ...(isMisused && {
      cookie: door.cookie,
      origin: chance.pick(['null', 'http://evil.test', `http://127.0.0.1:1`]),
      'sec-fetch-site': chance.pick(['cross-site', 'same-site']),
    }),
    ...(!isMisused && chance.oneIn(2) && { origin: door.origin, 'sec-fetch-site': 'same-origin' }),
    ...(!isMisused &&
      chance.oneIn(4) && { authorization: chance.pick(['Bearer x', 'Bearer ', 'x']) }),
    ...(chance.oneIn(6) && { 'x-plimsoll-csrf': chance.pick(['', 'x', 'undefined', 'null']) }),
    ...(chance.oneIn(8) && { 'x-http-method-override': 'GET', 'x-forwarded-host': own.host }),
  };
  const answer = { decision: 'approve', display, csrf: chance.pick(['', 'x', 'undefined']) };
  const body = chance.oneIn(2) ? JSON.stringify(answer) : new URLSearchParams(answer).toString();
  return {
    path: chance.pick(paths),
    method: chance.oneIn(2) ? 'POST' : chance.pick(['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD']),
    headers,
    body: chance.oneIn(4) ? JSON.stringify(toOdd(chance)) : body,
  };
}
