/** A console user without a browser: signs in with the link, reads pages, answers through the API. */
import assert from 'node:assert/strict';

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
    const post = { method: 'POST', redirect: 'manual', headers, body } as const;
    const entered = await fetch(new URL('/enter', origin), post);
    const cookie = entered.headers.getSetCookie().at(-1)?.split(';')[0];
    assert.ok(cookie, 'the link signs in once');
    const again = await fetch(new URL('/enter', origin), post);
    assert.equal(again.status, 403, 'and only once');
    return new ConsoleVisitor(origin, cookie);
  }

  async read(path: string): Promise<string> {
    const response = await fetch(new URL(path, this.#origin), {
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
    const response = await fetch(new URL(`/api/approvals/${id}/answer`, this.#origin), {
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
