/** A console user without a browser: signs in with the link, reads pages, answers through the API. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import type { LookupFunction } from 'node:net';
import { text } from 'node:stream/consumers';

interface Visit {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: URLSearchParams | string;
}

/** Node asks the system for names under `.localhost`, which knows them less often than browsers do. */
const toLoopback: LookupFunction = (_host, _options, done) =>
  done(null, [{ address: '127.0.0.1', family: 4 }]);

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

/** As `fetch`, without following redirects, at the name of a console. */
export async function visitConsole(url: URL, visit: Visit = {}): Promise<Response> {
  const { method = 'GET', headers, body = '' } = visit;
  const isForm = body instanceof URLSearchParams;
  return new Promise((resolve, reject) => {
    const init = { method, headers: { ...(isForm && FORM), ...headers }, lookup: toLoopback };
    const sent = request(url, init, (response) => {
      const { statusCode: status = 0, headersDistinct } = response;
      const pairs = Object.entries(headersDistinct).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      );
      const answer = (content: string): Response =>
        new Response(status === 304 || status === 204 ? null : content, { status, headers: pairs });
      text(response).then((content) => resolve(answer(content)), reject);
    });
    sent.on('error', reject).end(String(body));
  });
}

export interface Question {
  readonly id: string;
  readonly display: string;
  readonly card?: unknown;
}

export class ConsoleVisitor {
  readonly #origin: string;
  readonly #cookie: string;

  private constructor(origin: string, cookie: string) {
    this.#origin = origin;
    this.#cookie = cookie;
  }

  static async enter(link: URL): Promise<ConsoleVisitor> {
    const { origin } = link;
    const body = new URLSearchParams({ token: link.searchParams.get('token') ?? '' });
    const headers = { origin, 'sec-fetch-site': 'same-origin' };
    const post = { method: 'POST', headers, body };
    const entered = await visitConsole(new URL('/enter', origin), post);
    const cookie = entered.headers.getSetCookie().at(-1)?.split(';')[0];
    assert.ok(cookie, 'the link signs in once');
    const again = await visitConsole(new URL('/enter', origin), post);
    assert.equal(again.status, 403, 'and only once');
    return new ConsoleVisitor(origin, cookie);
  }

  async read(path: string): Promise<string> {
    const response = await visitConsole(new URL(path, this.#origin), {
      headers: { cookie: this.#cookie },
    });
    assert.equal(response.status, 200, path);
    return response.text();
  }

  async questions(): Promise<readonly Question[]> {
    const answer: unknown = JSON.parse(await this.read('/api/approvals'));
    const { approvals } = answer as { readonly approvals: readonly Question[] }; // as documented
    return approvals;
  }

  async approve({ id, display }: Question): Promise<void> {
    const session: unknown = JSON.parse(await this.read('/api/session'));
    const { csrf } = session as { readonly csrf: string }; // as documented
    const response = await visitConsole(new URL(`/api/approvals/${id}/answer`, this.#origin), {
      method: 'POST',
      headers: {
        cookie: this.#cookie,
        origin: this.#origin,
        'content-type': 'application/json',
        'x-plimsoll-csrf': csrf,
      },
      body: JSON.stringify({ decision: 'approve', display }),
    });
    assert.equal(response.status, 200, await response.text());
  }
}
