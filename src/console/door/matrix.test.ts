import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConsoleDoor } from '../../../test/support/console-door.ts';

const NOBODY = '0'.repeat(32);
/** Past the door there is no such question. */
const PASSED = 404;

let door: ConsoleDoor;
let hosts: Readonly<Record<string, string>>;
let origins: Readonly<Record<string, string | undefined>>;
let cookies: Readonly<Record<string, string | undefined>>;
let tokens: Readonly<Record<string, string | undefined>>;

const SITES: Readonly<Record<string, string | undefined>> = {
  'same-origin': 'same-origin',
  none: 'none',
  'same-site': 'same-site',
  'cross-site': 'cross-site',
  nonsense: 'SAME-ORIGIN',
  absent: undefined,
};

const TYPES: Readonly<Record<string, string | undefined>> = {
  form: 'application/x-www-form-urlencoded',
  json: 'application/json',
  text: 'text/plain',
  multipart: 'multipart/form-data; boundary=x',
  'like json': 'application/jsonx',
  absent: undefined,
};

beforeAll(async () => {
  door = await ConsoleDoor.entered();
  const { port } = new URL(door.origin);
  hosts = {
    own: new URL(door.origin).host,
    address: `127.0.0.1:${port}`,
    localhost: `localhost:${port}`,
    foreign: `evil.example:${port}`,
    'other port': '127.0.0.1:1',
    'without port': new URL(door.origin).hostname,
    'own as user': `${new URL(door.origin).host}@evil.example`,
  };
  origins = {
    own: door.origin,
    address: `http://127.0.0.1:${port}`,
    localhost: `http://localhost:${port}`,
    foreign: 'http://evil.example',
    'other port': 'http://127.0.0.1:1',
    tls: door.origin.replace('http:', 'https:'),
    null: 'null',
    absent: undefined,
  };
  const [name] = door.cookie.split('=');
  cookies = { good: door.cookie, wrong: `${name}=${'x'.repeat(43)}`, absent: undefined };
  tokens = { good: door.csrf, wrong: 'x'.repeat(43), absent: undefined };
});

afterAll(async () => {
  await door[Symbol.asyncDispose]();
});

function defined(headers: Readonly<Record<string, string | undefined>>): Record<string, string> {
  // Only those that are there.
  return Object.fromEntries(
    Object.entries(headers).filter(([, value]) => value !== undefined),
  ) as Record<string, string>;
}

interface Cell {
  readonly host: string;
  readonly origin: string;
  readonly site: string;
  readonly type: string;
  readonly cookie: string;
  readonly token: string;
}

function allCells(): readonly Cell[] {
  const cells: Cell[] = [];
  for (const host of Object.keys(hosts))
    for (const origin of Object.keys(origins))
      for (const site of Object.keys(SITES))
        for (const type of Object.keys(TYPES))
          for (const cookie of Object.keys(cookies))
            for (const token of Object.keys(tokens))
              cells.push({ host, origin, site, type, cookie, token });
  return cells;
}

async function passes(path: string, cell: Cell): Promise<boolean> {
  const token = tokens[cell.token];
  const form = { decision: 'approve', display: 'x', ...(token !== undefined && { csrf: token }) };
  const isJson = TYPES[cell.type]?.startsWith('application/json') ?? false;
  const { status } = await door.send(path, {
    method: 'POST',
    headers: defined({
      host: hosts[cell.host],
      origin: origins[cell.origin],
      'sec-fetch-site': SITES[cell.site],
      'content-type': TYPES[cell.type],
      cookie: cookies[cell.cookie],
      'x-plimsoll-csrf': token,
    }),
    body: isJson ? '{"decision":"approve","display":"x"}' : new URLSearchParams(form).toString(),
  });
  return status === PASSED;
}

/** The same words in another way than the door has them: what must pass, and nothing else. */
function allowed(type: string): readonly Cell[] {
  const good = { type, cookie: 'good', token: 'good' } as const;
  return ['same-origin', 'absent'].map((site) => ({ host: 'own', origin: 'own', site, ...good }));
}

async function passing(path: string): Promise<readonly Cell[]> {
  const cells = allCells();
  const passed: Cell[] = [];
  const workers = Array.from({ length: 16 }, async (_, worker) => {
    for (let index = worker; index < cells.length; index += 16) {
      const cell = cells[index];
      if (cell !== undefined && (await passes(path, cell))) passed.push(cell);
    }
  });
  await Promise.all(workers);
  return passed;
}

function sorted(cells: readonly Cell[]): readonly string[] {
  return cells
    .map(({ host, origin, site, type, cookie, token }) =>
      [host, origin, site, type, cookie, token].join(' | '),
    )
    .toSorted();
}

describe('who may change something', () => {
  it('a form: of all Host × Origin × Sec-Fetch-Site × type × cookie × token, two cells pass', async () => {
    expect(sorted(await passing(`/approvals/${NOBODY}`))).toEqual(sorted(allowed('form')));
  }, 120_000);

  it('the API: of all cells, two pass', async () => {
    const passed = await passing(`/api/approvals/${NOBODY}/answer`);
    expect(sorted(passed)).toEqual(sorted(allowed('json')));
  }, 120_000);
});

describe('who may look', () => {
  it.each(['/', '/api/approvals', '/api/events', '/tools', `/approvals/${NOBODY}`])(
    '%s: with a session, from our pages or from none',
    async (path) => {
      const seen: string[] = [];
      for (const host of Object.keys(hosts))
        for (const origin of Object.keys(origins))
          for (const site of Object.keys(SITES))
            for (const cookie of Object.keys(cookies)) {
              const headers = defined({
                host: hosts[host],
                origin: origins[origin],
                'sec-fetch-site': SITES[site],
                cookie: cookies[cookie],
              });
              const method = path === '/api/events' ? 'HEAD' : 'GET';
              const { status } = await door.send(path, { method, headers });
              if (status === 200 || status === PASSED) {
                seen.push([host, origin, site, cookie].join(' | '));
              }
            }
      const expected = ['own', 'absent'].flatMap((origin) =>
        ['same-origin', 'none', 'absent'].map((site) => ['own', origin, site, 'good'].join(' | ')),
      );
      expect(seen.toSorted()).toEqual(expected.toSorted());
    },
    60_000,
  );

  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE'])('%s is not served', async (method) => {
    const { status } = await door.send('/api/approvals', {
      method,
      headers: { cookie: door.cookie, origin: door.origin },
    });
    expect(status).toBe(405);
  });
});

describe('what every answer says to the browser', () => {
  it.each(['/', '/enter?token=x', '/nowhere', '/api/approvals', '/assets/console.js'])(
    '%s, also when it says no',
    async (path) => {
      for (const cookie of [door.cookie, 'none=1']) {
        const { headers } = await door.send(path, { headers: { cookie } });
        expect(headers['content-security-policy']).toBe(
          "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
        );
        expect(headers).toMatchObject({
          'x-content-type-options': 'nosniff',
          'referrer-policy': 'same-origin',
          'cross-origin-opener-policy': 'same-origin',
          'cross-origin-resource-policy': 'same-origin',
        });
        expect(headers['access-control-allow-origin']).toBeUndefined();
        expect(headers['cache-control']).toMatch(/no-store|no-cache/);
      }
    },
  );

  it('takes no body that is too large', async () => {
    const reply = await door.post('/what-if', { arguments: 'x'.repeat(300_000) });
    expect(reply.status).toBe(413);
  });
});
