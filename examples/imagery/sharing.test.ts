/** What lets data out, over real HTTP: secrets that are shown once, and ends that hold. */
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestShop } from './test-shop.ts';
import { deliveredItem, MINUTE, openTestShop } from './test-shop.ts';

let shop: TestShop;
let itemId: string;
let assetId: string;

beforeAll(async () => {
  shop = await openTestShop();
  ({ itemId, assetId } = await deliveredItem(shop));
});

afterAll(() => shop[Symbol.asyncDispose]());

const PASSWORD = 'correct horse';
const share = (more: object = {}) =>
  shop.call('share.link.create', {
    expires_at: '2026-07-02T00:00:00Z',
    target_type: 'item',
    target_id: itemId,
    ...more,
  });
const open = (token: unknown, password?: string) =>
  shop.call('share.link.validate', { token, password }, { as: 'ines' });
/** As somebody who was sent the address: no token, no session. */
const visit = async (url: unknown, password?: string) => {
  const basic = Buffer.from(`anyone:${password}`).toString('base64');
  const answer = await fetch(String(url), {
    headers: { ...(password !== undefined && { authorization: `Basic ${basic}` }) },
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

describe('a share link', () => {
  it('R108: made again is another secret', async () => {
    const [first, second] = [await share(), await share()];
    expect(first.body['token']).not.toBe(second.body['token']);
    expect(first.body['id']).not.toBe(second.body['id']);
  });

  it('R149: is an address that opens without a sign-in, for whoever has it', async () => {
    const { body } = await share();
    const { status, headers, text } = await visit(body['url']);
    expect(status).toBe(200);
    expect(JSON.parse(text)).toMatchObject({
      permission: 'view',
      target_type: 'item',
      items: [{ id: itemId, files: [] }],
    });
    expect([headers.get('cache-control'), headers.get('referrer-policy')]).toEqual([
      'no-store',
      'no-referrer',
    ]);
    // More than once, and through the tool for any organisation.
    expect((await visit(body['url'])).status).toBe(200);
    expect(await open(body['token'])).toMatchObject({
      status: 200,
      body: { permission: 'view', target_type: 'item', target: { id: itemId } },
    });
  });

  it('is a page for people, with what its target is called as text', async () => {
    const { body: made } = await shop.call('items.create', {
      project_id: 'prj_reef',
      name: '<script>alert(1)</script>',
      type: 'user_raster',
    });
    const { body } = await share({ target_id: made['id'] });
    const page = await fetch(String(body['url']), { headers: { accept: 'text/html' } });
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const html = await page.text();
    expect(html).toContain('&#60;script&#62;alert(1)');
    expect(html).not.toContain('<script');
  });

  it('lets files out only if it says so', async () => {
    const view = String((await share()).body['url']);
    expect((await visit(`${view}/assets/${assetId}`)).status).toBe(403);
    const { body } = await share({ permission: 'download' });
    const download = String(body['url']);
    expect(JSON.parse((await visit(download)).text)).toMatchObject({
      items: [{ id: itemId, files: [assetId] }],
    });
    const file = await fetch(`${download}/assets/${assetId}`);
    expect([file.status, file.headers.get('content-type')]).toEqual([
      200,
      'image/tiff; application=geotiff',
    ]);
    expect((await visit(`${download}/assets/ast_other`)).status).toBe(404);
    expect((await visit(`${download}/tiles/${itemId}/1/0/0`)).status).toBe(200);
    expect((await visit(`${download}/tiles/itm_other/1/0/0`)).status).toBe(404);
  });

  it('R146: nothing that is kept or listed shows it again', async () => {
    const { body } = await share();
    const token = String(body['token']);
    expect(String(body['url']).endsWith(`/s/${token}`)).toBe(true);
    await shop.ledger.flush();
    const found = shop.store.shareLinks.find('org_reef', String(body['id']));
    expect(
      JSON.stringify([found, shop.receipts, shop.store.events.list('org_reef')]),
    ).not.toContain(token);
  });

  it('R147: a caller that lost the answer cannot get it again, only another link', async () => {
    const args = {
      expires_at: '2026-07-02T00:00:00Z',
      target_type: 'item',
      target_id: itemId,
    };
    const linked = () => shop.store.shareLinks.newest('org_reef', 500).length;
    const before = linked();
    const lost = await loseAnswer('share.link.create', args, 'a-key-of-the-lost-call');
    await expect.poll(linked).toBe(before + 1);
    expect(lost).toBe('');
    const again = await shop.call('share.link.create', args, { key: 'a-key-of-the-lost-call' });
    expect(again.status).toBe(200);
    expect(again.headers['idempotent-replayed']).toBeUndefined();
    expect(linked()).toBe(before + 2);
    const [first, second] = shop.store.shareLinks.newest('org_reef', 2).toReversed();
    expect(second?.id).toBe(again.body['id']);
    // No operation says anything of the first one but that it can be revoked.
    expect(JSON.stringify(first)).not.toMatch(/share_|http/);
    expect((await shop.call('share.link.revoke', { link_id: first?.id })).status).toBe(200);
    expect((await visit(again.body['url'])).status).toBe(200);
  });

  it('R149: does not open late or revoked, and both look like a link that never was', async () => {
    const { body } = await share();
    const unknown = await visit(`${shop.web}/s/share_unknown`);
    expect([unknown.status, unknown.headers.get('content-type')]).toEqual([
      404,
      'application/problem+json',
    ]);
    const revoke = () => shop.call('share.link.revoke', { link_id: body['id'] });
    expect((await revoke()).body).toEqual({ ok: true, id: body['id'] });
    expect((await visit(body['url'])).text).toBe(unknown.text);
    expect((await open(body['token'])).body).toEqual((await open('share_unknown')).body);
    const late = await share({ expires_at: '2026-07-01T18:00:00Z' });
    expect((await visit(late.body['url'])).status).toBe(200);
    shop.pass(12 * 60 * MINUTE);
    expect((await visit(late.body['url'])).text).toBe(unknown.text);
  });

  it('may need a password too', async () => {
    const { body } = await share({ password: PASSWORD, expires_at: '2026-07-05T00:00:00Z' });
    const asked = await visit(body['url']);
    expect([asked.status, asked.headers.get('www-authenticate')]).toEqual([
      401,
      expect.stringMatching(/^Basic /),
    ]);
    expect((await visit(body['url'], 'battery staple')).status).toBe(401);
    expect((await visit(body['url'], PASSWORD)).status).toBe(200);
    expect((await open(body['token'], 'battery staple')).status).toBe(404);
    expect((await open(body['token'], PASSWORD)).status).toBe(200);
  });

  it('cannot be guessed at speed', async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => open('share_guess')));
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2);
  });

  it('is not made by viewers of the project, and not for ever', async () => {
    await shop.call('projects.add_member', {
      project_id: 'prj_reef',
      user_id: 'tomas',
      role: 'viewer',
    });
    const args = {
      expires_at: '2026-07-05T00:00:00Z',
      target_type: 'item',
      target_id: itemId,
    };
    expect((await shop.call('share.link.create', args, { as: 'tomas' })).status).toBe(403);
    const forever = { ...args, expires_at: '2028-01-01T00:00:00Z' };
    expect((await shop.call('share.link.create', forever)).status).toBe(422);
  });
});

describe('an API key', () => {
  it('acts for its organisation with its own scopes, until it is revoked', async () => {
    const { body } = await shop.call('api_keys.create', {
      name: 'ci',
      permissions: ['billing:read'],
    });
    const key = String(body['key']);
    expect(key.startsWith(String(body['prefix']))).toBe(true);
    const look = () => shop.call('billing.credits.balance', {}, { as: key });
    expect((await look()).status).toBe(200);
    expect((await shop.call('items.search_org', {}, { as: key })).status).toBe(403);
    await shop.call('api_keys.revoke', { key_id: body['id'] });
    expect((await look()).status).toBe(401);
  });

  it('R146: is listed without the key', async () => {
    const { body } = await shop.call('api_keys.create', { name: 'ci' });
    expect((await shop.call('api_keys.list')).text).not.toContain(String(body['key']));
  });

  it('never holds more than who made it', async () => {
    const mine = await shop.call('api_keys.create', { name: 'a', permissions: ['api_keys:write'] });
    const more = { name: 'b', permissions: ['billing:write'] };
    expect(
      await shop.call('api_keys.create', more, { as: String(mine.body['key']) }),
    ).toMatchObject({
      status: 403,
      body: { missing: ['billing:write'] },
    });
  });
});

describe('destruction', () => {
  it('R107: has no replay: a second deletion is a call of its own, and finds nothing', async () => {
    const { body } = await shop.call('items.create', {
      project_id: 'prj_reef',
      name: 'x',
      type: 'user_raster',
    });
    const remove = () =>
      shop.call('items.delete', { item_id: body['id'] }, { key: 'one-key-for-both-calls' });
    expect((await remove()).status).toBe(200);
    expect(await remove()).toMatchObject({ status: 404, body: { code: 'not-found' } });
  });
});

/** Sends a call and hangs up before its answer; what was heard of it. */
async function loseAnswer(name: string, args: object, key: string): Promise<string> {
  const body = JSON.stringify(args);
  const { port } = new URL(shop.http.url);
  return new Promise((resolve) => {
    let heard = '';
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.end(
        `POST /op/${name} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer mara\r\n` +
          `Idempotency-Key: ${key}\r\nContent-Type: application/json\r\n` +
          `Content-Length: ${body.length}\r\n\r\n${body}`,
        () => socket.destroy(),
      );
    });
    socket.on('data', (data) => (heard += String(data)));
    socket.once('close', () => resolve(heard));
  });
}
