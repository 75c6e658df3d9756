/** The nextcloud backend at real standard servers: the same days, with the same results as the embedded store. */
import { once } from 'node:events';
import { chmodSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestGroupware } from '../test-groupware.ts';
import { connect, openTestGroupware, toCallTool } from '../test-groupware.ts';
import { workOnCalendar, workOnContacts, workOnFiles } from '../week/days.ts';
import { toComparable, Worker } from '../week/worker.ts';
import { openNextcloud } from './open-nextcloud.ts';
import type { StandardServers } from './standard-servers.ts';
import {
  APP_PASSWORD,
  areMissing,
  canInstall,
  freePort,
  openStandardServers,
  USER,
} from './standard-servers.ts';

// On Debian as root they can be installed, so that their absence is a failure.
describe.skipIf(areMissing && !canInstall)('Apache and Radicale', () => {
  let servers: StandardServers;
  let groupware: TestGroupware;

  beforeAll(async () => {
    servers = await openStandardServers();
    groupware = await openTestGroupware({
      openBackend: () =>
        openNextcloud({
          url: new URL(servers.files).origin,
          user: USER,
          appPassword: APP_PASSWORD,
          places: { files: servers.files, calendars: servers.home, addressBooks: servers.home },
        }),
    });
    await groupware.call('nc_calendar_manage_calendar', {
      action: 'create',
      calendar_name: 'personal',
      display_name: 'Personal',
    });
    await groupware.call('nc_contacts_create_addressbook', {
      name: 'contacts',
      display_name: 'Contacts',
    });
  });
  afterAll(async () => {
    await groupware[Symbol.asyncDispose]();
    await servers[Symbol.asyncDispose]();
  });

  async function workAt({ http }: TestGroupware): Promise<readonly unknown[]> {
    const client = await connect(`${http.url}/mcp`);
    const worker = new Worker(toCallTool(client));
    await workOnFiles(worker, 'Week');
    await workOnCalendar(worker, 'team');
    await workOnContacts(worker, 'suppliers');
    await client.close();
    return toComparable(worker.steps);
  }

  it('give the same results for files, calendars and contacts as the embedded store', async () => {
    await using embedded = await openTestGroupware();
    const [real, own] = [await workAt(groupware), await workAt(embedded)];
    expect(real.length).toBeGreaterThan(40);
    expect(real).toEqual(own);
  });

  it('refuse a stale etag with the current one, and a uid that is taken', async () => {
    const event = { calendar_name: 'personal', title: 'T', start_datetime: '2026-03-02T10:00' };
    const { body } = await groupware.call('nc_calendar_create_event', event);
    const update = { calendar_name: 'personal', event_uid: body['uid'], etag: body['etag'] };
    const first = await groupware.call('nc_calendar_update_event', { ...update, title: 'One' });
    expect(first.status).toBe(200);
    const second = await groupware.call('nc_calendar_update_event', { ...update, title: 'Two' });
    expect([second.status, second.body['current']]).toEqual([412, first.body['etag']]);
    const contact = { addressbook: 'contacts', uid: 'twice', contact_data: { fn: 'Twice' } };
    const made = await groupware.call('nc_contacts_create_contact', contact);
    const again = await groupware.call('nc_contacts_create_contact', contact);
    expect([made.status, again.status]).toEqual([200, 409]);
  });

  it('refuse to write a file that someone else has locked', async () => {
    const path = 'locked.txt';
    await groupware.call('nc_webdav_write_file', { path, content: 'before' });
    const authorization = `Basic ${Buffer.from(`${USER}:${APP_PASSWORD}`).toString('base64')}`;
    const lock = await fetch(`${servers.files}${path}`, {
      method: 'LOCK',
      headers: { authorization, 'content-type': 'application/xml' },
      body: '<d:lockinfo xmlns:d="DAV:"><d:lockscope><d:exclusive/></d:lockscope><d:locktype><d:write/></d:locktype></d:lockinfo>',
    });
    expect(lock.status).toBe(200);
    const refused = await groupware.call('nc_webdav_write_file', { path, content: 'after' });
    expect([refused.status, refused.body['detail']]).toEqual([
      409,
      'It is locked by someone else. Nothing was changed.',
    ]);
    const read = await groupware.call('nc_webdav_read_file', { path });
    expect(read.body['content']).toBe('before');
  });

  it('show files that came from elsewhere, whatever their names', async () => {
    const name = 'a%20b;c=d&e—ü#?.txt';
    writeFileSync(join(servers.root, name), 'x');
    chmodSync(join(servers.root, name), 0o666);
    const { body } = await groupware.call('nc_webdav_list_directory');
    const names = (body['items'] as readonly { name: string }[]).map((item) => item.name);
    expect(names).toContain(name);
    const read = await groupware.call('nc_webdav_read_file', { path: name });
    expect(read.body['content']).toBe('x');
  });

  /** As another program would, under a name of its own. */
  async function putElsewhere(path: string, type: string, lines: readonly string[]): Promise<void> {
    const authorization = `Basic ${Buffer.from(`${USER}:${APP_PASSWORD}`).toString('base64')}`;
    const response = await fetch(`${servers.home}${path}`, {
      method: 'PUT',
      headers: { authorization, 'content-type': type },
      body: [...lines, ''].join('\r\n'),
    });
    expect(response.status).toBe(201);
  }

  it('find events, todos and contacts by their UID, whatever their files are called', async () => {
    for (const [kind, uid] of [
      ['VEVENT', 'from/elsewhere 1'],
      ['VTODO', 'from/elsewhere 2'],
    ] as const) {
      await putElsewhere(`personal/${kind}-file.ics`, 'text/calendar', [
        'BEGIN:VCALENDAR',
        'VERSION:2.0',
        'PRODID:x',
        `BEGIN:${kind}`,
        `UID:${uid}`,
        'DTSTAMP:20260101T000000Z',
        'DTSTART:20260320T100000Z',
        'SUMMARY:Elsewhere',
        `END:${kind}`,
        'END:VCALENDAR',
      ]);
    }
    await putElsewhere('contacts/card.vcf', 'text/vcard', [
      'BEGIN:VCARD',
      'VERSION:3.0',
      'UID:elsewhere-3',
      'FN:Else Where',
      'N:Where;Else;;;',
      'END:VCARD',
    ]);
    const at = { calendar_name: 'personal' };
    const event = { ...at, event_uid: 'from/elsewhere 1' };
    const read = await groupware.call('nc_calendar_get_event', event);
    expect([read.status, read.body['title']]).toEqual([200, 'Elsewhere']);
    const update = { ...event, title: 'Here', etag: read.body['etag'] };
    expect((await groupware.call('nc_calendar_update_event', update)).status).toBe(200);
    expect((await groupware.call('nc_calendar_update_event', update)).status).toBe(412);
    const todo = { ...at, todo_uid: 'from/elsewhere 2' };
    const done = await groupware.call('nc_calendar_update_todo', { ...todo, status: 'COMPLETED' });
    expect(done.status).toBe(200);
    const contact = { addressbook: 'contacts', uid: 'elsewhere-3' };
    const taken = { ...contact, contact_data: { fn: 'Another' } };
    expect((await groupware.call('nc_contacts_create_contact', taken)).status).toBe(409);
    const bulk = { operation: 'delete', ...at, title_contains: 'Here' };
    const gone = await groupware.call('nc_calendar_bulk_operations', bulk);
    expect(gone.body['changed']).toEqual(['from/elsewhere 1']);
    expect((await groupware.call('nc_calendar_get_event', event)).status).toBe(404);
    for (const [name, args] of [
      ['nc_calendar_delete_todo', todo],
      ['nc_contacts_delete_contact', contact],
    ] as const) {
      expect((await groupware.call(name, args)).body).toEqual({ deleted: true });
      expect((await groupware.call(name, args)).body).toEqual({ deleted: false });
    }
  });

  it.each(['.', '..'])('keep all their collections when %s is to be deleted', async (name) => {
    const books = async () => (await groupware.call('nc_contacts_list_addressbooks')).body;
    const before = await books();
    const manage = { action: 'delete', calendar_name: name };
    for (const [tool, args] of [
      ['nc_calendar_manage_calendar', manage],
      ['nc_contacts_delete_addressbook', { name }],
    ] as const) {
      expect((await groupware.call(tool, args)).status).toBeGreaterThanOrEqual(400);
    }
    const event = { calendar_name: name, event_uid: 'x' };
    expect((await groupware.call('nc_calendar_get_event', event)).status).toBe(404);
    expect(await books()).toEqual(before);
  });

  it('are for one account alone', async () => {
    expect((await groupware.call('nc_webdav_list_directory', {}, 'ines')).status).toBe(403);
  });

  it('that went away are reported as such, and nothing is said to be done', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    await using gone = await openTestGroupware({
      openBackend: () => openNextcloud({ url, user: USER, appPassword: APP_PASSWORD }),
    });
    const read = await gone.call('nc_webdav_list_directory');
    expect([read.status, read.body['code']]).toEqual([503, 'unavailable']);
    const write = await gone.call('nc_webdav_create_directory', { path: 'x' });
    expect([write.status, write.body['code']]).toEqual([503, 'unavailable']);
  });

  it('that go away in the middle of a write leave it open whether it was done', async () => {
    const cut = createServer((request) => void request.socket.destroy());
    await once(cut.listen(0, '127.0.0.1'), 'listening');
    const url = `http://127.0.0.1:${(cut.address() as AddressInfo).port}`;
    await using lost = await openTestGroupware({
      openBackend: () => openNextcloud({ url, user: USER, appPassword: APP_PASSWORD }),
    });
    const write = await lost.call('nc_webdav_create_directory', { path: 'x' });
    expect([write.status, write.body['code']]).toEqual([504, 'outcome-doubtful']);
    const read = await lost.call('nc_webdav_list_directory');
    expect([read.status, read.body['code']]).toEqual([503, 'unavailable']);
    cut.close();
  });
});
