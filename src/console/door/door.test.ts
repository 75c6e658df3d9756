import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConsoleDoor } from '../../../test/support/console-door.ts';
import { EntryLinks } from './sessions.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
});

afterEach(() => {
  vi.useRealTimers();
});

function pass(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

describe('the link from the terminal', () => {
  it('shows a button, and looking does not use it up', async () => {
    await using door = await ConsoleDoor.open();
    for (const method of ['GET', 'HEAD', 'GET']) {
      const reply = await door.send(`/enter?token=${door.token}`, { method });
      expect(reply.status).toBe(200);
      expect(reply.headers['set-cookie']).toBeUndefined();
    }
    expect((await door.enter()).status).toBe(303);
    expect((await door.page('/')).status).toBe(200);
  });

  it('lets in once', async () => {
    await using door = await ConsoleDoor.entered();
    const again = await door.post('/enter', { token: door.token });
    expect(again.status).toBe(403);
    expect(again.headers['set-cookie']).toBeUndefined();
    expect(again.text).toContain('already been used');
    expect((await door.send(`/enter?token=${door.token}`)).status).toBe(403);
  });

  it('lets one of two in who come at the same time', async () => {
    await using door = await ConsoleDoor.open();
    const { token } = door;
    const both = await Promise.all([
      door.post('/enter', { token }),
      door.post('/enter', { token }),
    ]);
    expect(both.map(({ status }) => String(status)).toSorted()).toEqual(['303', '403']);
  });

  it('is good for ten minutes', async () => {
    await using door = await ConsoleDoor.open();
    pass(10 * MINUTE - 1);
    expect((await door.send(`/enter?token=${door.token}`)).status).toBe(200);
    pass(1);
    expect((await door.send(`/enter?token=${door.token}`)).status).toBe(403);
    expect((await door.enter()).status).toBe(403);
  });

  it.each(['', 'x', 'null', '%00'])(
    'a token that was never given, %j, lets nobody in',
    async (token) => {
      await using door = await ConsoleDoor.open();
      expect((await door.enter(token)).status).toBe(403);
      expect((await door.page('/')).status).toBe(401);
    },
  );

  it('becomes a cookie that scripts cannot read and other sites do not send', async () => {
    await using door = await ConsoleDoor.open();
    const { headers } = await door.enter();
    expect(headers['set-cookie']?.[0]).toMatch(
      /^plimsoll-session-\d+=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; SameSite=Strict$/,
    );
  });

  it('is bound to TLS where the console is reached by it', async () => {
    await using door = await ConsoleDoor.open({ publicUrl: 'https://plimsoll.example' });
    expect(door.console.link).toMatch(/^https:\/\/plimsoll\.example\/enter\?token=/);
    const { headers } = await door.send('/enter', {
      method: 'POST',
      headers: {
        host: 'plimsoll.example',
        origin: 'https://plimsoll.example',
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: `token=${door.token}`,
    });
    expect(headers['set-cookie']?.[0]).toMatch(
      /^__Host-plimsoll=[\w-]{43}; Max-Age=7776000; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
    );
  });
});

describe('a session', () => {
  it('ends when it was idle for 30 days, and after 90 days in any case', async () => {
    await using door = await ConsoleDoor.entered();
    for (let days = 29; days < 90; days += 29) {
      pass(29 * DAY);
      expect((await door.page('/')).status).toBe(200);
    }
    pass(4 * DAY);
    expect((await door.page('/')).status).toBe(401);
    await using idle = await ConsoleDoor.entered();
    pass(30 * DAY);
    expect((await idle.page('/')).status).toBe(401);
  });

  it('survives a restart of the console at its address, and counts at no other', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'plimsoll-door-'));
    const address = `sqlite:${join(folder, 'ledger.sqlite')}`;
    const before = await ConsoleDoor.entered({ address, name: 'plimsoll-same' });
    const { cookie, csrf, console: pages } = before;
    await before[Symbol.asyncDispose]();
    {
      const same = { address, name: 'plimsoll-same', port: pages.port };
      await using after = await ConsoleDoor.open(same);
      const session = await after.get('/api/session', { cookie });
      expect(JSON.parse(session.text)).toEqual({ who: 'mia', csrf });
      await using elsewhere = await ConsoleDoor.open({ address, name: 'plimsoll-same' });
      const moved = cookie.replace(/-\d+=/, `-${elsewhere.console.port}=`);
      expect((await elsewhere.get('/api/session', { cookie: moved })).status).toBe(401);
    }
    rmSync(folder, { recursive: true });
  });

  it('is told over the API which header a POST lacks', async () => {
    await using door = await ConsoleDoor.entered();
    const { host } = new URL(door.origin);
    const headers = {
      host,
      origin: door.origin,
      cookie: door.cookie,
      'content-type': 'application/json',
    };
    const answer = { method: 'POST', headers, body: '{"decision":"decline","display":"x"}' };
    const { status, text } = await door.send('/api/approvals/x/answer', answer);
    expect(status).toBe(403);
    expect(text).toContain('X-Plimsoll-Csrf');
    expect(text).not.toContain('reload the page');
  });

  it('is listed with its browser, and ends when somebody signs it out', async () => {
    await using door = await ConsoleDoor.open();
    const links = new EntryLinks({
      store: door.services.ledger.store,
      now: door.services.now,
      place: () => door.origin,
    });
    await door.enter(await links.mint());
    const { cookie } = door;
    await door.enter();
    const list = await door.page('/access');
    expect(list.text).toContain('this browser');
    const ids = [...list.text.matchAll(/data-session="(\w+)"/g)].map(([, id]) => id ?? '');
    expect(ids).toHaveLength(1);
    expect((await door.get('/', { cookie })).status).toBe(401);
    expect((await door.post('/access/sessions/none', {})).status).toBe(404);
    expect((await door.post(`/access/sessions/${ids[0]}`, {})).status).toBe(303);
    expect((await door.get('/')).status).toBe(401);
  });

  it('is replaced by the next one in the same browser', async () => {
    const links: string[] = [];
    await using door = await ConsoleDoor.entered({ onLink: (link) => links.push(link) });
    const { cookie } = door;
    pass(MINUTE);
    await door.get('/', { cookie: '' });
    await door.enter(new URL(links[0] ?? '').searchParams.get('token') ?? '');
    expect((await door.get('/')).status).toBe(200);
    expect((await door.get('/', { cookie })).status).toBe(401);
  });

  it('is asked for politely: who knocks is told what to do, and the terminal shows a new link', async () => {
    const links: string[] = [];
    await using door = await ConsoleDoor.open({ onLink: (link) => links.push(link) });
    pass(MINUTE);
    for (let times = 0; times < 5; times += 1) {
      const { status, text } = await door.page('/');
      expect(status).toBe(401);
      expect(text).toContain(
        'The terminal where the gate or the console runs now shows a new link',
      );
      expect(text).toContain('Run plimsoll console --open');
      expect(text).not.toContain('enter?token');
    }
    expect(links).toHaveLength(1);
    const token = new URL(links[0] ?? '').searchParams.get('token') ?? '';
    expect((await door.get('/api/approvals')).text).toContain('--api-token-env');
    expect((await door.enter(token)).status).toBe(303);
  });
});

describe('where it listens', () => {
  it.each(['0.0.0.0', '::', '192.0.2.1', 'example.com'])(
    'not at %s without the word for it',
    async (host) => {
      await expect(ConsoleDoor.open({ host })).rejects.toThrow('other machines could reach');
    },
  );

  it('at all addresses when told, and still only under names it was given', async () => {
    const publicUrl = 'http://plimsoll.test';
    await using door = await ConsoleDoor.open({
      host: '0.0.0.0',
      othersCanReachIt: true,
      publicUrl,
    });
    const statusOf = async (host: string): Promise<number> =>
      (await door.send('/enter', { headers: { host } })).status;
    expect(await statusOf('plimsoll.test')).toBe(403);
    expect(
      (await door.send('/assets/mark.svg', { headers: { host: 'plimsoll.test' } })).status,
    ).toBe(200);
    expect((await door.send('/assets/mark.svg', { headers: { host: 'evil.test' } })).status).toBe(
      403,
    );
  });
});
