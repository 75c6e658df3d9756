/** Whoever has a port on this machine, and a browser that is signed in to the console and visits it. */
import { describe, expect } from 'vitest';
import { visitConsole } from '../../scripts/start/console-visitor.ts';
import { Browser, NO_BROWSER } from '../console/browser.ts';
import { attack } from './attack.ts';
import { AttackedGate } from './attacked-gate.ts';
import { linkOf, openThief, signIn } from './console-victim.ts';

const DELETE = {
  name: 'delete_note',
  description: 'Deletes a note for good.',
  inputSchema: { type: 'object', properties: { id: { type: 'string' } } },
};

/** Signs in as the person does, and then looks at whatever the other pages show. */
async function visit(link: URL, others: readonly string[]): Promise<void> {
  await using browser = await Browser.open();
  await using tab = await browser.openTab();
  await signIn(tab.page, link);
  for (const other of others) {
    await tab.page.goto(other);
    await tab.page.getByRole('heading', { name: 'Look here' }).waitFor();
  }
  // The person's own session is as good as before.
  await tab.page.goto(new URL('/', link).href);
  await tab.page.getByRole('heading', { level: 1, name: 'Waiting' }).waitFor();
}

interface Waiting {
  readonly approvals: readonly { readonly id: string; readonly display: string }[];
}

/** Says yes to everything that waits, with what was stolen; knows the port, as anyone can find it. */
async function approveAll(port: string, cookie: string): Promise<void> {
  const origin = `http://127.0.0.1:${port}`;
  const get = async (path: string): Promise<Response> =>
    visitConsole(new URL(path, origin), { headers: { cookie } });
  const session = await get('/api/session');
  if (session.status !== 200) return;
  const { csrf } = (await session.json()) as { readonly csrf: string };
  const { approvals } = (await (await get('/api/approvals')).json()) as Waiting;
  for (const { id, display } of approvals) {
    const headers = {
      cookie,
      origin,
      'content-type': 'application/json',
      'x-plimsoll-csrf': csrf,
    };
    const body = JSON.stringify({ decision: 'approve', display });
    await visitConsole(new URL(`/api/approvals/${id}/answer`, origin), {
      method: 'POST',
      headers,
      body,
    });
  }
}

describe.skipIf(NO_BROWSER !== undefined)('another port of this machine', () => {
  attack(
    'a web page on this machine',
    'gets the session of the console, since cookies go to every port, and approves a call',
    async () => {
      await using gate = await AttackedGate.open({
        tools: [DELETE],
        flags: ['--console', '127.0.0.1:0'],
      });
      await using thief = await openThief();
      const link = await linkOf(gate);
      await gate.call('delete_note', { id: '1' });
      const names = ['127.0.0.1', 'localhost', 'other.localhost'];
      await visit(
        link,
        names.map((name) => `http://${name}:${thief.port}/`),
      );
      for (const cookie of thief.cookies) await approveAll(link.port, cookie);
      await gate.call('delete_note', { id: '1' });
      expect(gate.ran()).toEqual([]);
      expect(thief.cookies).toEqual([]);
    },
  );

  attack(
    'a web page on this machine',
    'has the person sign in at 127.0.0.1, where it would get the session',
    async () => {
      await using gate = await AttackedGate.open({
        tools: [DELETE],
        flags: ['--console', '127.0.0.1:0'],
      });
      const link = await linkOf(gate);
      for (const name of ['127.0.0.1', 'localhost']) {
        const origin = `http://${name}:${link.port}`;
        const body = new URLSearchParams({ token: link.searchParams.get('token') ?? '' });
        const headers = { origin };
        const entered = await visitConsole(new URL('/enter', origin), {
          method: 'POST',
          headers,
          body,
        });
        expect(entered.status).toBe(401);
        expect(entered.headers.getSetCookie()).toEqual([]);
        // Nor does it tell anyone who asks where people sign in.
        expect(await entered.text()).not.toContain(link.hostname);
      }
    },
  );
});
