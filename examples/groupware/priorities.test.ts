/** The order of work as data: it covers the served tools, and a check reports by it. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import record from '../../test/fixtures/nextcloud.json' with { type: 'json' };
import type { Priority } from '../../src/check/priority.ts';
import { toRanking } from '../../src/check/priority.ts';

const CONFIG = fileURLToPath(new URL('plimsoll.check.yaml', import.meta.url));
const COMMAND = fileURLToPath(new URL('../../bin/plimsoll', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'groupware-check-'));
afterAll(() => rmSync(folder, { recursive: true }));

const { priorities } = parse(readFileSync(CONFIG, 'utf8')) as { priorities: readonly Priority[] };
const ranking = toRanking(priorities);

describe('the order of work', () => {
  it('R81: ranks the grant of access and the login check as critical, and nothing else', () => {
    const critical = record.filter(({ name }) => ranking(name).name === 'critical');
    expect(critical.map(({ name }) => name)).toEqual([
      'provision_nextcloud_access',
      'check_logged_in',
    ]);
  });

  it('R188: access, then notes, files, calendar, search and contacts, then boards, tables and sharing, then recipes and news', () => {
    const modules = Map.groupBy(record, ({ module }) => module);
    const levels = [...modules].map(([module, tools]) => {
      const names = new Set(tools.map(({ name }) => ranking(name).name ?? ''));
      return [module, [...names].toSorted()] as const;
    });
    expect(Object.fromEntries(levels)).toEqual({
      oauth_tools: ['critical', 'high'],
      notes: ['high'],
      webdav: ['high'],
      calendar: ['high'],
      semantic: ['high'],
      contacts: ['high'],
      deck: ['medium'],
      tables: ['medium'],
      sharing: ['medium'],
      cookbook: ['low'],
      news: ['low'],
    });
    expect(priorities.map(({ name }) => name)).toEqual(['critical', 'high', 'medium', 'low']);
  });

  it('orders the report of a check on a server without titles and hints', () => {
    const bare = record
      .filter(({ name }) => /news_get_item|deck_get_board$|get_note|check_logged_in/.test(name))
      .map(({ name }) => ({ name, description: `Does ${name}.`, inputSchema: { type: 'object' } }));
    const list = join(folder, 'tools.json');
    writeFileSync(list, JSON.stringify({ tools: bare }));
    const { stdout } = spawnSync(COMMAND, ['check', list, '--config', CONFIG], {
      encoding: 'utf8',
    });
    const order = [...stdout.matchAll(/^ {2}(?:priority: |tool )(\w+)$/gm)].map(([, word]) => word);
    expect(order).toEqual([
      'critical',
      'check_logged_in',
      'high',
      'nc_notes_get_note',
      'medium',
      'deck_get_board',
      'low',
      'nc_news_get_item',
    ]);
  });
});
