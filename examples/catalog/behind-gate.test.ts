/** The catalogue as processes: behind the gate as it comes, and with everything that it reaches recorded. */
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { stamp } from 'plimsoll';
import { openApprovals } from 'plimsoll/gate';
import type { Receipt } from 'plimsoll/server';
import { openLedger } from 'plimsoll/server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decideHost, heedsHints, HOSTS } from '../../src/check/hosts/decide-host.ts';
import { PLIMSOLL, run } from '../../test/gate/gate-process.ts';
import createCatalog from './server.ts';

const SERVE = ['serve', 'examples/catalog', '--stdio', '--as', 'mia', '--grant', 'qr:write'];
const RECORDER = new URL('../../test/support/record-egress.mjs', import.meta.url).href;
const GTIN = '09506000134352';

const CALLS: readonly { readonly name: string; readonly arguments: Record<string, string> }[] = [
  { name: 'ping', arguments: {} },
  { name: 'validate_gtin', arguments: { gtin: GTIN } },
  { name: 'resolve_gtin', arguments: { gtin: GTIN } },
  { name: 'lookup_product', arguments: { gtin: GTIN } },
  { name: 'generate_qr_url', arguments: { gtin: GTIN, lot: 'A-1' } },
];

let folder: string;
let opened: Client | undefined;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'catalog-gate-'));
});

afterEach(async () => {
  await opened?.close();
  opened = undefined;
  rmSync(folder, { recursive: true });
});

async function connect(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Client> {
  const { PATH = '', HOME = '' } = process.env;
  const client = new Client({ name: 'host', version: '1' });
  opened = client;
  await client.connect(
    new StdioClientTransport({
      command: PLIMSOLL,
      args: [...args],
      env: { PATH, HOME, CATALOG_DB: join(folder, 'catalog.db'), ...env },
      stderr: 'ignore',
    }),
  );
  return client;
}

async function callAll(client: Client): Promise<void> {
  expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(
    CALLS.map(({ name }) => name),
  );
  for (const call of CALLS) {
    const { isError, content } = await client.callTool(call);
    expect([call.name, isError ?? false, content]).toEqual([call.name, false, expect.anything()]);
  }
}

function actions(): number {
  const db = new DatabaseSync(join(folder, 'catalog.db'));
  const row = db.prepare('SELECT count(*) AS n FROM user_actions').get();
  db.close();
  return Number(row?.['n']);
}

describe('behind the gate as it comes', () => {
  it('R13: the reads and the QR code run, and nobody is asked', async () => {
    const address = `sqlite:${join(folder, 'ledger.db')}`;
    const policy = join(folder, 'policy.yaml');
    // A question would be answered at once as pending, and fail the call.
    writeFileSync(policy, 'asking:\n  holdSeconds: 0\n');
    const gate = ['gate', '--ledger', address, '--policy', policy, '--pass-env', 'CATALOG_DB'];
    const client = await connect([...gate, '--', PLIMSOLL, ...SERVE]);
    await callAll(client);
    await client.close();
    expect(actions()).toBe(1);
    await using ledger = await openLedger(address);
    const rows = await ledger.store.transaction((tx) =>
      tx.list('receipts', { orderBy: 'seq', limit: 100 }),
    );
    const records = rows.map(({ body }) => JSON.parse(body) as Receipt);
    // Receipts of reads are written together, after their answers.
    expect(records.map(({ operation, outcome }) => `${operation} ${outcome}`).toSorted()).toEqual(
      CALLS.map(({ name }) => `${name} success`).toSorted(),
    );
    expect(await openApprovals(ledger.store).listPending()).toEqual([]);
  });

  it('R13: no host that reads hints takes the QR code for destructive, but one that reads a missing hint so', () => {
    const { operations, convention } = createCatalog();
    const qr = operations.get('generate_qr_url');
    if (qr === undefined) throw new Error('the catalogue has no generate_qr_url');
    const sent = { name: qr.name, ...stamp(qr, convention) };
    const marked = (destructiveHint: boolean) => ({
      ...sent,
      annotations: { ...sent.annotations, destructiveHint },
    });
    const heeding = HOSTS.filter(heedsHints);
    const answers = heeding.map((host) => ({
      host: host.id,
      sent: decideHost(host, sent).answer,
      harmless: decideHost(host, marked(false)).answer,
    }));
    expect(answers.length).toBeGreaterThan(3);
    const stricter = answers.filter((each) => each.sent !== each.harmless);
    expect(stricter.map(({ host }) => host)).toEqual(['codex']);
    expect(readFileSync('docs/conventions.md', 'utf8')).toMatch(
      /price of leaving the hint out[^]*?Codex/,
    );
  });
});

describe('what the catalogue reaches', () => {
  it('R11: nothing outside, whichever of its tools is called', async () => {
    const file = join(folder, 'egress.txt');
    const recorded = () => (existsSync(file) ? readFileSync(file, 'utf8').split('\n') : []);
    const env = { NODE_OPTIONS: `--import=${RECORDER}`, PLIMSOLL_EGRESS: file };
    const client = await connect(SERVE, env);
    await callAll(client);
    await client.close();
    expect(recorded()).toEqual([]);
    expect(actions()).toBe(1);
  });

  it('would be seen: the same record of a program that reaches out has all of it', async () => {
    const file = join(folder, 'egress.txt');
    const program = `
      import { spawn } from 'node:child_process';
      import { createSocket } from 'node:dgram';
      await fetch('http://127.0.0.1:49151').catch(() => {});
      await fetch('https://localhost:49151').catch(() => {});
      await new Promise((done) => createSocket('udp4').send('x', 9, '127.0.0.1', done));
      spawn('true');
      process.exit();`;
    const ran = await run('/usr/bin/env', [
      `NODE_OPTIONS=--import=${RECORDER}`,
      `PLIMSOLL_EGRESS=${file}`,
      process.execPath,
      '--input-type=module',
      '-e',
      program,
    ]);
    expect(ran.code).toBe(0);
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    expect(new Set(lines)).toEqual(new Set(['connection', 'name lookup', 'datagram', 'process']));
    expect(lines.filter((line) => line === 'connection').length).toBeGreaterThan(1);
  });
});
