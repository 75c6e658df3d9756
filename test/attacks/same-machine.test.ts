/** Other users of the machine, who see command lines and files with open modes. */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { PLIMSOLL, run } from '../gate/gate-process.ts';
import { attack } from './attack.ts';
import type { HostEntry } from './attacked-gate.ts';
import { AttackedGate } from './attacked-gate.ts';
import { unwrapAsUser, wrapAsUser } from './host-user.ts';

let home = '';

/** As another user of this machine, where we can be one. */
function readAsOther(path: string): string {
  const other = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
  return execFileSync('cat', [path], { encoding: 'utf8', stdio: 'pipe', cwd: '/', ...other });
}

/** It and its children. */
function processesUnder(pid: number): readonly number[] {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ');
  return [pid, ...children.filter(Boolean).flatMap((child) => processesUnder(Number(child)))];
}

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'plimsoll-home-'));
});

afterEach(() => rmSync(home, { recursive: true }));

attack(
  'a local user',
  'reads the credentials of a wrapped server in the process list',
  async () => {
    const heard: (readonly [string | undefined, string | undefined])[] = [];
    const server = createServer(({ url, headers }, response) => {
      heard.push([url, headers.authorization]);
      response.writeHead(503).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const { port } = server.address() as AddressInfo;
      const url = `http://127.0.0.1:${port}/mcp?key=url-secret`;
      const remote = { type: 'http', url, headers: { Authorization: 'Bearer header-secret' } };
      const file = join(home, 'mcp.json');
      const text = JSON.stringify({ mcpServers: { remote } }, null, 2);
      writeFileSync(file, text);
      await wrapAsUser(home, file);
      const { mcpServers } = JSON.parse(readFileSync(file, 'utf8')) as {
        readonly mcpServers: { readonly remote: HostEntry };
      };
      await using gate = AttackedGate.start({ tools: [], entry: mcpServers.remote });
      gate.write('{"jsonrpc":"2.0","id":1,"method":"ping"}');
      await vi.waitUntil(() => heard.length > 0, { timeout: 20_000 });
      expect(heard[0]).toEqual(['/mcp?key=url-secret', 'Bearer header-secret']);
      const commandLine = readFileSync(`/proc/${gate.pid}/cmdline`, 'utf8');
      expect(commandLine).toContain('gate');
      expect(commandLine).not.toContain('secret');
      await unwrapAsUser(home, file);
      expect(readFileSync(file, 'utf8')).toBe(text);
    } finally {
      server.close();
    }
  },
);

attack('a local user', 'reads secrets of the gate and its server in /proc', async () => {
  const env = { PGPASSWORD: 'pg-secret', HOOK: 'hook-secret', API: 'api-secret' };
  await using gate = await AttackedGate.open({
    tools: [],
    env,
    flags: ['--pass-env', 'API', '--console', '127.0.0.1:0'],
  });
  await gate.request('tools/list', {});
  expect(gate.serverEnvironment()).toMatchObject({ API: 'api-secret' });
  const pids = processesUnder(gate.pid ?? 0);
  expect(pids.length).toBeGreaterThan(1);
  const seen = pids.map((pid) => readAsOther(`/proc/${pid}/cmdline`)).join('');
  expect(seen).toContain('gate');
  expect(seen).not.toMatch(/secret|token=/);
  // Whoever is root can also be somebody else, who must not read the rest.
  for (const pid of process.getuid?.() === 0 ? pids : []) {
    for (const name of ['environ', 'fd/0', 'mem', 'cwd/ledger.sqlite']) {
      expect(() => readAsOther(`/proc/${pid}/${name}`)).toThrow(/denied/);
    }
  }
});

it('tells who puts a credential on a command line', async () => {
  const ledger = 'postgres://plimsoll:pg-secret@127.0.0.1:1/none';
  const { stderr } = await run(PLIMSOLL, ['audit', 'list', '--ledger', ledger]);
  expect(stderr).toContain('set PGPASSWORD');
  expect(stderr).not.toContain('pg-secret');
}, 60_000);

attack('a local user', 'opens the ledger and what lies beside it', async () => {
  const before = process.umask(0o022);
  try {
    await using gate = await AttackedGate.open({ tools: [] });
    await gate.request('tools/list', {});
    const files = readdirSync(gate.folder).filter((name) => name.startsWith('ledger.sqlite'));
    expect(files.toSorted()).toEqual([
      'ledger.sqlite',
      'ledger.sqlite-shm',
      'ledger.sqlite-wal',
      'ledger.sqlite.key',
    ]);
    const modes = files.map((name) => statSync(join(gate.folder, name)).mode & 0o777);
    expect(modes).toEqual(files.map(() => 0o600));
  } finally {
    process.umask(before);
  }
});

attack('a local user', 'opens a ledger, or its key, that was made readable before', async () => {
  const ledger = `sqlite:${join(home, 'ledger.sqlite')}`;
  const open = (): Promise<AttackedGate> => AttackedGate.open({ tools: [], ledger });
  const first = await open();
  await first.close();
  await first[Symbol.asyncDispose]();
  const files = ['ledger.sqlite', 'ledger.sqlite.key'].map((name) => join(home, name));
  for (const file of files) chmodSync(file, 0o644);
  await using gate = await open();
  await gate.request('tools/list', {});
  expect(files.map((file) => statSync(file).mode & 0o777)).toEqual([0o640, 0o640]);
});
