import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConsolePages } from '../../../test/support/console-pages.ts';
import { openConsolePages, serverView } from '../../../test/support/console-pages.ts';
import { ConsoleDoor } from '../../../test/support/console-door.ts';
import { openPins } from '../../gate/tools/pins.ts';
import { openGatePins } from '../gate-pins.ts';
import type { Receipt } from '../../ledger/receipt.ts';

const scratch = mkdtempSync(join(tmpdir(), 'plimsoll-review-'));
const lock = join(scratch, 'plimsoll.lock.json');
const PATH = '/servers/notes/review';

afterAll(() => rmSync(scratch, { recursive: true }));
beforeEach(() => rmSync(lock, { force: true }));

const SURE = { name: 'delete_note', description: 'Deletes a note.' };
const VAGUE = { name: 'zorp_usr', description: '<b>User</b> of an account' };
const ODD = {
  name: 'frobnicate',
  description: 'Thing',
  inputSchema: { type: 'object', properties: { what: {} } },
};

/** The form of one tool. */
function formOf(text: string, tool: string): Record<string, string> {
  const part = text.split('<article').find((each) => each.includes(`>${tool}<`)) ?? '';
  const fields = [...part.matchAll(/name="(csrf|definition|decision)" value="([^"]*)"/g)];
  return Object.fromEntries(fields.map(([, name = '', value = '']) => [name, value]));
}

async function recordsOf({
  services: { ledger },
}: Pick<ConsolePages, 'services'>): Promise<readonly Receipt[]> {
  await ledger.flush();
  const rows = await ledger.store.transaction((tx) =>
    tx.list('receipts', { orderBy: 'seq', limit: 100 }),
  );
  return rows.map(({ body }) => JSON.parse(body) as Receipt);
}

describe('reviewing the tools of a server', () => {
  it('shows the uncertain ones only, with the reasons, and pins what the person says by one click', async () => {
    await using pages = await openConsolePages({
      servers: () => [serverView([SURE, VAGUE, ODD])],
      lock,
    });
    expect(await pages.get('/servers/notes')).toContain(`href="${PATH}"`);
    const text = await pages.get(PATH);
    expect(text.match(/<article/g)).toHaveLength(2);
    expect(text).toContain('&lt;b&gt;User&lt;/b&gt;');
    expect(text).toContain('<code>what</code>');
    expect(text).not.toContain('>delete_note<');
    const reply = await pages.post('/servers/notes/pins', {
      ...formOf(text, 'zorp_usr'),
      tier: 'destructive',
    });
    expect(reply.status).toBe(303);
    expect(reply.headers.get('location')).toBe(PATH);
    expect(openPins(lock).pinOf('notes', 'zorp_usr')).toMatchObject({
      tier: 'destructive',
      stated: true,
      acceptedBy: 'mia',
    });
    expect(openPins(lock).pinOf('notes', 'frobnicate')).toBeUndefined();
    const next = await pages.get(PATH);
    expect(next.match(/<article/g)).toHaveLength(1);
    await pages.post('/servers/notes/pins', { ...formOf(next, 'frobnicate'), tier: 'read' });
    expect(await pages.get(PATH)).toContain('Nothing is left to review');
    expect(await pages.get('/servers/notes')).not.toContain(`href="${PATH}"`);
    expect(await recordsOf(pages)).toMatchObject([
      {
        operation: 'pins.accept',
        request: 'pin',
        via: 'console',
        principal: 'mia',
        server: 'notes',
      },
      {
        operation: 'pins.accept',
        request: 'pin',
        via: 'console',
        principal: 'mia',
        server: 'notes',
      },
    ]);
  });

  it('pins nothing that was not shown, and no tier that there is not', async () => {
    let tools: readonly object[] = [VAGUE];
    await using pages = await openConsolePages({ servers: () => [serverView(tools)], lock });
    const form = formOf(await pages.get(PATH), 'zorp_usr');
    for (const tier of ['', 'harmless', 'constructor']) {
      expect((await pages.post('/servers/notes/pins', { ...form, tier })).status).toBe(400);
    }
    tools = [{ ...VAGUE, description: 'Now something else' }];
    expect((await pages.post('/servers/notes/pins', { ...form, tier: 'read' })).status).toBe(409);
    expect(openPins(lock).pinOf('notes', 'zorp_usr')).toBeUndefined();
    expect(await recordsOf(pages)).toEqual([]);
  });

  it('pins in the lock of the gate in front of each server where no lock was named', async () => {
    const other = join(scratch, 'other.json');
    const servers = () => [
      serverView([VAGUE], { lock }),
      serverView([VAGUE], { name: 'other', lock: other }),
      serverView([VAGUE], { name: 'elsewhere' }),
    ];
    await using pages = await openConsolePages({ servers, pins: openGatePins(servers) });
    const form = formOf(await pages.get(PATH), 'zorp_usr');
    const reply = await pages.post('/servers/notes/pins', { ...form, tier: 'destructive' });
    expect(reply.status).toBe(303);
    expect(openPins(lock).pinOf('notes', 'zorp_usr')).toMatchObject({ tier: 'destructive' });
    expect(existsSync(other)).toBe(false);
    expect(await pages.get(PATH)).toContain('Nothing is left to review');
    expect(await pages.get('/servers/other/review')).toContain('What does it do?');
    expect(await pages.get('/servers/elsewhere/review')).not.toContain('What does it do?');
    expect(await pages.get('/tools/notes/zorp_usr')).toContain('destroys');
    writeFileSync(lock, 'no lock at all');
    expect(await pages.get('/servers/notes')).toContain('The lock cannot be read');
  });

  it('leaves out what got riskier than its pin: that change is accepted where it is shown', async () => {
    let tools: readonly object[] = [VAGUE];
    await using pages = await openConsolePages({ servers: () => [serverView(tools)], lock });
    const accept = [
      ...(await pages.get('/servers/notes')).matchAll(/name="definition" value="([^"]*)"/g),
    ];
    const form = { definition: accept[0]?.[1] ?? '', decision: 'accept-new' };
    const { csrf = '' } = formOf(await pages.get(PATH), 'zorp_usr');
    expect((await pages.post('/servers/notes/pins', { ...form, csrf })).status).toBe(303);
    expect(await pages.get(PATH)).toContain('>zorp_usr<');
    tools = [{ ...VAGUE, description: 'User of an account. Deletes all accounts of the user.' }];
    expect(await pages.get('/servers/notes')).toContain('Held back: calls are refused.');
    expect(await pages.get(PATH)).not.toContain('>zorp_usr<');
  });

  it('has no buttons and says what to do where there is no lock, or no such server', async () => {
    await using pages = await openConsolePages({ servers: () => [serverView([VAGUE])] });
    const text = await pages.get(PATH);
    expect(text).not.toContain('<form method="post"');
    expect(text).toContain('plimsoll tools --review --server notes');
    expect((await pages.request('/servers/nobody/review')).status).toBe(404);
  });

  it('takes an answer only from a form of the console, by somebody who is signed in', async () => {
    const services = { servers: () => [serverView([VAGUE])], lock, pins: openPins(lock) };
    await using door = await ConsoleDoor.entered({ services });
    const form = { ...formOf((await door.page(PATH)).text, 'zorp_usr'), tier: 'read' };
    expect((await door.post('/servers/notes/pins', { ...form, csrf: 'another' })).status).toBe(403);
    const { cookie } = door;
    door.cookie = '';
    expect((await door.post('/servers/notes/pins', form)).status).toBe(401);
    expect(openPins(lock).pinOf('notes', 'zorp_usr')).toBeUndefined();
    door.cookie = cookie;
    expect((await door.post('/servers/notes/pins', form)).status).toBe(303);
    expect(openPins(lock).pinOf('notes', 'zorp_usr')).toMatchObject({
      tier: 'read',
      acceptedBy: 'mia',
    });
  });
});
