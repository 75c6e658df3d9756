/** What lets people in or tells them something: links, keys, exports, inboxes, budgets. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { hashPassword, hashToken, isPassword } from '../secret-hash.ts';
import type { Store } from '../store.ts';
import { openStore } from '../store.ts';
import { SECONDS_PER_DAY } from './compute-budget.ts';

const at = new Date('2026-07-01T00:00:00Z');
const reef = { organisation: 'org_reef', user: 'mara', at };
const terra = { organisation: 'org_terra', user: 'ines', at };
let store: Store;

beforeEach(() => {
  store = openStore(':memory:');
});

afterEach(() => store.close());

const item = () =>
  store.items.create(reef, { project_id: 'prj_reef', type: 'user_raster', name: 'x' }, [
    { key: 'data', media_type: 'image/tiff', bytes: 10, band_names: ['red'] },
  ]);

describe('share links', () => {
  it('are found by the digest of their token, until their target is gone', async () => {
    const target = item();
    const link = store.shareLinks.create(reef, {
      project_id: 'prj_reef',
      target_type: 'item',
      target_id: target.id,
      permission: 'view',
      expires_at: '2026-08-01T00:00:00.000Z',
      token_hash: hashToken('token'),
      password_hash: await hashPassword('correct horse'),
    });
    const found = store.shareLinks.findByToken(hashToken('token'));
    expect(found?.link).toEqual(link);
    expect(await isPassword('correct horse', found?.passwordHash ?? '')).toBe(true);
    expect(await isPassword('battery staple', found?.passwordHash ?? '')).toBe(false);
    expect(store.shareLinks.revoke(terra, link.id)).toBe(false);
    expect(store.shareLinks.revoke(reef, link.id)).toBe(true);
    expect(store.shareLinks.revoke(reef, link.id)).toBe(true);
    store.items.delete(reef, target.id);
    expect(store.shareLinks.findByToken(hashToken('token'))).toBeUndefined();
  });
});

describe('API keys', () => {
  it('are found by digest until they are revoked', () => {
    const key = store.apiKeys.create(reef, {
      name: 'ci',
      prefix: 'gpra_ab',
      permissions: ['items:read'],
      expires_at: null,
      hash: hashToken('gpra_abc'),
    });
    expect(store.apiKeys.findByHash(hashToken('gpra_abc'))).toEqual(key);
    expect(store.apiKeys.revoke(terra, key.id)).toBe(false);
    expect(store.apiKeys.revoke(reef, key.id)).toBe(true);
    expect(store.apiKeys.findByHash(hashToken('gpra_abc'))).toBeUndefined();
    expect(store.apiKeys.list('org_reef')).toMatchObject([{ revoked_at: at.toISOString() }]);
  });
});

describe('exports', () => {
  it('lead to their asset while it is there', () => {
    const { id } = item();
    const [asset] = store.items.assets('org_reef', id);
    const taken = store.exports.create(reef, asset?.id ?? '');
    expect(store.exports.find(taken)?.asset).toEqual(asset);
    store.items.delete(reef, id);
    expect(store.exports.find(taken)).toBeUndefined();
  });
});

describe('the inbox', () => {
  it('is one person’s own', () => {
    store.inbox.add(reef, 'x', 'Hello.', 'y');
    const [note] = store.inbox.list(reef, { limit: 9, offset: 0 });
    const tomas = { ...reef, user: 'tomas' };
    expect(store.inbox.list(tomas, { limit: 9, offset: 0 })).toEqual([]);
    expect(store.inbox.markRead(tomas, note?.id ?? '')).toBe(false);
    expect(store.inbox.countUnread(reef)).toBe(1);
    expect(store.inbox.markAllRead(reef)).toBe(1);
    expect(store.inbox.markAllRead(reef)).toBe(0);
    expect(store.inbox.dismiss(reef, note?.id ?? '')).toBe(true);
    expect(store.inbox.list(reef, { limit: 9, offset: 0 })).toEqual([]);
  });
});

describe('the compute budget', () => {
  it('grants what a day has, to each organisation, and anew the next day', () => {
    expect(store.computeBudget.take(reef, 'ndvi', SECONDS_PER_DAY - 1)).toEqual({
      kind: 'granted',
      left: 1,
    });
    expect(store.computeBudget.take(reef, 'ndvi', 2)).toEqual({ kind: 'spent', left: 1 });
    expect(store.computeBudget.take(terra, 'ndvi', 2).kind).toBe('granted');
    const tomorrow = { ...reef, at: new Date('2026-07-02T00:00:00Z') };
    expect(store.computeBudget.take(tomorrow, 'ndvi', 2).kind).toBe('granted');
  });
});

describe('projects and collections', () => {
  it('a deleted collection leaves its items in the project', () => {
    const { id } = store.collections.create(reef, 'prj_reef', { name: 'Coast' });
    const kept = store.items.create(reef, {
      project_id: 'prj_reef',
      collection_id: id,
      type: 'user_raster',
      name: 'x',
    });
    expect(store.collections.find('org_reef', id)?.item_count).toBe(1);
    expect(store.collections.delete(terra, id)).toBe(false);
    expect(store.collections.delete(reef, id)).toBe(true);
    expect(store.items.find('org_reef', kept.id)?.collection_id).toBeNull();
  });

  it('only people of the organisation can be members', () => {
    store.projects.setMember(reef, 'prj_reef', 'tomas', 'viewer');
    expect(store.projects.roleOf('prj_reef', 'tomas')).toBe('viewer');
    expect(() => store.projects.setMember(reef, 'prj_reef', 'ines', 'viewer')).toThrow(
      /FOREIGN KEY/,
    );
    expect(store.projects.removeMember(reef, 'prj_reef', 'tomas')).toBe(true);
    expect(store.projects.removeMember(reef, 'prj_reef', 'tomas')).toBe(false);
  });
});
