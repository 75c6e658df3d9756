/** What the README tells of the tools. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import record from '../../test/fixtures/nextcloud.json' with { type: 'json' };
import { openEmbedded } from './embedded/open-embedded.ts';
import { createGroupware } from './create-groupware.ts';

const README = fileURLToPath(new URL('README.md', import.meta.url));
const COMMAND = fileURLToPath(new URL('../../bin/plimsoll', import.meta.url));
const page = readFileSync(README, 'utf8');
const ROW = /^\| `(\w+)` \| ([^|]+) \| [^|]+ \| ([^|]+) \| [^|]+ \|$/gm;
const rows = [...page.matchAll(ROW)].map(([, name = '', title = '', retry = '']) => ({
  name,
  title,
  retry,
}));

describe('the README', () => {
  it('R222: lists every tool with its title', () => {
    const titles = Object.fromEntries(rows.map(({ name, title }) => [name, title]));
    expect(titles).toEqual(Object.fromEntries(record.map(({ name, title }) => [name, title])));
  });

  it('R224: says of every tool whether it is safe to retry, as its declared effect has it', async () => {
    await using backend = openEmbedded();
    await using groupware = createGroupware({ backend, authenticate: () => undefined });
    const fresh = [...groupware.server.operations.values()]
      .filter(({ effect }) => effect.repeat.kind === 'fresh')
      .map(({ name }) => name);
    const unsafe = rows.filter(({ retry }) => retry === 'no').map(({ name }) => name);
    expect(unsafe.toSorted()).toEqual(fresh.toSorted());
    expect(unsafe).toContain('nc_notes_append_content');
    const yes = rows.filter(({ retry }) => retry.startsWith('yes')).map(({ name }) => name);
    expect(yes).toEqual(expect.arrayContaining(['nc_notes_get_note', 'nc_notes_delete_note']));
  });

  it('has fresh tables', () => {
    const project = fileURLToPath(new URL('.', import.meta.url));
    const { status, stderr } = spawnSync(COMMAND, ['docs', project, '--check', README], {
      encoding: 'utf8',
    });
    expect([status, stderr]).toEqual([0, '']);
  });
});
