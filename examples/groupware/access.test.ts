/** Grants of access: sessions that a person completes, and secrets that stay out of records. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestGroupware } from './test-groupware.ts';
import { connect, grantInBrowser, openTestGroupware } from './test-groupware.ts';

let groupware: TestGroupware;
beforeAll(async () => {
  groupware = await openTestGroupware();
});
afterAll(() => groupware[Symbol.asyncDispose]());

type Fields = Record<string, unknown>;

async function run(name: string, args: object = {}): Promise<Fields> {
  const { status, body } = await groupware.call(name, args);
  expect([name, status, body]).toEqual([name, 200, body]);
  return body;
}

describe('access', () => {
  const accessAs = { era: 'modern', capabilities: {} } as const;

  it('R220: each call opens a new session, which only a person can complete', async () => {
    const client = await connect(`${groupware.http.url}/mcp`, accessAs);
    const begin = async (): Promise<Fields> => {
      const { structuredContent } = await client.callTool({ name: 'provision_nextcloud_access' });
      return structuredContent as Fields;
    };
    const [first, second] = [await begin(), await begin()];
    expect([first['status'], second['status']]).toEqual(
      Array.from({ length: 2 }, () => 'authorization_required'),
    );
    expect(first['authorization_url']).not.toBe(second['authorization_url']);
    const granted = async () => (await run('check_provisioning_status'))['is_provisioned'];
    expect(await granted()).toBe(false);
    await grantInBrowser(String(first['authorization_url']), 'deny');
    expect(await granted()).toBe(false);
    const page = await grantInBrowser(String(second['authorization_url']));
    expect(await page.text()).toContain('Access is granted');
    expect(await granted()).toBe(true);
    // A session is completed once.
    const again = await grantInBrowser(String(second['authorization_url']));
    expect(again.status).toBe(400);
    expect(await run('revoke_nextcloud_access')).toEqual({ revoked: true });
    expect(await granted()).toBe(false);
    await client.close();
  });

  it('R220: a client that shows addresses asks its person, in both eras', async () => {
    for (const era of ['modern', 'legacy'] as const) {
      const client = await connect(`${groupware.http.url}/mcp`, { era });
      const login = await client.callTool({ name: 'check_logged_in' });
      expect(login.structuredContent).toEqual({ logged_in: true });
      await run('revoke_nextcloud_access');
      const { structuredContent } = await client.callTool({ name: 'provision_nextcloud_access' });
      expect(structuredContent).toEqual({ status: 'granted' });
      await run('revoke_nextcloud_access');
      await client.close();
    }
  });

  it('is for the account of the caller alone', async () => {
    const other = await groupware.call('check_provisioning_status', { user_id: 'ines' });
    expect(other.status).toBe(403);
    expect((await groupware.call('check_provisioning_status', {}, 'stranger')).status).toBe(403);
  });

  it('leaves no token, and no address of a link, in receipts', async () => {
    await run('nc_webdav_write_file', { path: 'Documents/s.txt', content: 'x' });
    const share = await run('nc_share_create', {
      path: 'Documents/s.txt',
      share_with: '',
      share_type: 3,
    });
    const token = String(share['url']).split('/').at(-1) ?? '';
    expect(token.length).toBeGreaterThan(20);
    expect(JSON.stringify(groupware.receipts)).not.toContain(token);
  });
});
