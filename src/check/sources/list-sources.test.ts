import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Listers } from './list-sources.ts';
import { listSources } from './list-sources.ts';
import { toSubjects } from './saved-list.ts';

const scratch = mkdtempSync(join(tmpdir(), 'plimsoll-sources-'));
afterAll(() => rmSync(scratch, { recursive: true }));

function save(name: string, content: unknown): string {
  const path = join(scratch, name);
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
  return path;
}

/** Tells the variable `SAY` as the name of its one tool, with a hint of the wrong type. */
const SERVER = save(
  'server.cjs',
  `require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const answers = {
    initialize: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
    'tools/list': { tools: [{ name: process.env.SAY ?? 'nothing', annotations: { readOnlyHint: 'true' } }] },
  };
  const result = answers[method];
  const answer = result ? { result } : { error: { code: -32601, message: 'no such method' } };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, ...answer }) + '\\n');
});`,
);

const listers: Listers = {
  loadProject: async (path) => {
    if (path === 'kit') return { name: 'kit', tools: [{ name: 'made' }] };
    throw new Error('no project there');
  },
  environment: { WORD: 'said_so' },
};

describe('listSources', () => {
  it('reads saved lists and projects, and keeps equal names apart', async () => {
    const path = save('notes.json', { tools: [{ name: 'a' }] });
    const { listings, failures } = await listSources(
      [
        { kind: 'file', path },
        { kind: 'file', path },
        { kind: 'project', path: 'kit' },
      ],
      listers,
    );
    expect(failures).toEqual([]);
    expect(listings.map(({ name, tools, origin }) => [name, tools, origin])).toEqual([
      ['notes', [{ name: 'a' }], 'saved'],
      ['notes-2', [{ name: 'a' }], 'saved'],
      ['kit', [{ name: 'made' }], 'project'],
    ]);
  });

  it("starts every server of a host's configuration, with its environment, behind the gate, too", async () => {
    const command = process.execPath;
    const passed = ['--pass-env', 'SAY=PLIMSOLL_ENV_SAY'];
    const gated = {
      command: 'plimsoll',
      args: ['gate', '--name', 'gated', ...passed, '--', command, SERVER],
      env: { PLIMSOLL_ENV_SAY: '${WORD}', SAY: 'to the gate' },
    };
    const path = save(
      'host.json',
      [
        '{ // as hosts allow it\n "mcpServers": {',
        `"plain": ${JSON.stringify({ command, args: [SERVER], env: { SAY: '${WORD}' } })},`,
        `"gated": ${JSON.stringify(gated)},`,
        `"off": ${JSON.stringify({ command: 'absent', disabled: true })},`,
        `"lacking": ${JSON.stringify({ command: 'x', env: { A: '${NOT_THERE}' } })},`,
        `"odd": 5, }}`,
      ].join('\n'),
    );
    const { listings, failures } = await listSources([{ kind: 'file', path }], listers);
    expect(listings.map(({ name, tools }) => [name, tools])).toEqual([
      ['plain', [{ name: 'said_so', annotations: { readOnlyHint: 'true' } }]],
      ['gated', [{ name: 'said_so', annotations: { readOnlyHint: 'true' } }]],
    ]);
    expect(failures.map(({ name }) => name)).toEqual(['odd', 'lacking']);
    expect(failures[1]?.detail).toContain('NOT_THERE');
  });

  it('reads the servers of plimsoll.yaml', async () => {
    const text = `mcpServers:\n  notes: { command: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(SERVER)}] }\n`;
    const path = save('plimsoll.yaml', text);
    const { listings } = await listSources([{ kind: 'file', path }], listers);
    expect(listings.map(({ name, tools }) => [name, tools.length])).toEqual([['notes', 1]]);
  });

  it('goes on with the others when one fails, and says which', async () => {
    const good = save('good.json', []);
    const odd = save('odd.json', { hello: 1 });
    const { listings, failures } = await listSources(
      [
        { kind: 'file', path: odd },
        { kind: 'file', path: join(scratch, 'absent.json') },
        { kind: 'project', path: 'none' },
        { kind: 'command', command: join(scratch, 'absent'), args: [] },
        { kind: 'file', path: good },
      ],
      listers,
    );
    expect(listings.map(({ name }) => name)).toEqual(['good']);
    expect(failures.map(({ name }) => name)).toEqual(['odd', 'absent', 'none', 'absent']);
    expect(failures[0]?.detail).toContain('neither a saved tools/list');
  });
});

describe('toSubjects', () => {
  it('makes the servers neighbours of one another', () => {
    const listings = ['a', 'b'].map((name) => ({
      name,
      tools: [{ name: `of_${name}` }, null],
      origin: 'server' as const,
    }));
    expect(toSubjects(listings, undefined).map(({ neighbours }) => neighbours)).toEqual([
      [{ name: 'b', tools: ['of_b', ''] }],
      [{ name: 'a', tools: ['of_a', ''] }],
    ]);
  });
});
