/** The gate as a library, around the transports of real clients in front of a real server. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, describe, expect, it } from 'vitest';
import { gateTransport, openApprovals, openLedger, toPolicy } from 'plimsoll/gate';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-transport-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SERVER = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js'),
);
const PROBLEM = 'dev.plimsoll/problem';
const ENTITY = { name: 'reef', entityType: 'place', observations: ['blue'] };
const DELETE = { name: 'delete_entities', arguments: { entityNames: ['reef'] } };

async function openClient(
  name: string,
  options: Partial<Parameters<typeof gateTransport>[1]> = {},
): Promise<{
  client: Client;
  ledger: Awaited<ReturnType<typeof openLedger>>;
  [Symbol.asyncDispose](): Promise<void>;
}> {
  const ledger = await openLedger('sqlite::memory:');
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [SERVER],
    env: { MEMORY_FILE_PATH: join(folder, `${name}.jsonl`) },
    stderr: 'ignore',
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  const policy = toPolicy({ asking: { holdSeconds: 0 } });
  await client.connect(gateTransport(transport, { server: 'memory', ledger, policy, ...options }));
  return {
    client,
    ledger,
    [Symbol.asyncDispose]: async () => {
      await client.close();
      await ledger[Symbol.asyncDispose]();
    },
  };
}

describe('gateTransport', () => {
  it('lets a look run, and keeps a deletion until a person has said yes to it', async () => {
    await using opened = await openClient('asked');
    const { client, ledger } = opened;
    await client.callTool({ name: 'create_entities', arguments: { entities: [ENTITY] } });
    const read = await client.callTool({ name: 'read_graph', arguments: {} });
    expect(JSON.stringify(read)).toContain('reef');

    const asked = await client.callTool(DELETE);
    expect(asked._meta?.[PROBLEM]).toMatchObject({ code: 'approval-pending' });
    const approvals = openApprovals(ledger.store);
    const [pending] = await approvals.listPending();
    expect(pending?.binding).toMatchObject({ server: 'memory', tool: 'delete_entities' });
    await approvals.answer(pending?.id ?? '', {
      kind: 'approve',
      approver: 'mara',
      channel: 'terminal',
      display: pending?.display ?? '',
    });

    expect((await client.callTool(DELETE)).isError).not.toBe(true);
    const after = await client.callTool({ name: 'read_graph', arguments: {} });
    expect(JSON.stringify(after)).not.toContain('reef');
    const again = await client.callTool(DELETE);
    expect(again._meta?.[PROBLEM]).toMatchObject({ code: 'approval-pending' });
  });

  it('ends a call whose client closes or aborts while it is told of the question', async () => {
    const policy = toPolicy({ asking: { holdSeconds: 60 } });
    await using closed = await openClient('closed', {
      policy,
      announce: () => void closed.client.close(),
    });
    const answer = await closed.client.callTool(DELETE);
    expect(answer._meta?.[PROBLEM]).toMatchObject({ code: 'gate-stopped' });

    const control = new AbortController();
    await using aborted = await openClient('aborted', {
      policy,
      announce: () => control.abort(),
    });
    const { signal } = control;
    await expect(aborted.client.callTool(DELETE, { signal })).rejects.toThrow('aborted');
    const { store } = aborted.ledger;
    await expect.poll(() => openApprovals(store).listPending()).toEqual([]);
  });

  it('keeps a question open that nobody could be told of, and reports that', async () => {
    const reports: string[] = [];
    await using opened = await openClient('unannounced', {
      announce: () => {
        throw new Error('no bell');
      },
      report: (message, cause) => reports.push(`${message}: ${String(cause)}`),
    });
    const answer = await opened.client.callTool(DELETE);
    expect(answer._meta?.[PROBLEM]).toMatchObject({ code: 'approval-pending' });
    expect(reports).toEqual(['a question could not be announced: Error: no bell']);
  });

  it('answers lists and errors as the server does', async () => {
    await using opened = await openClient('plain');
    const { client } = opened;
    const first = await client.listTools();
    expect((await client.listTools(undefined, { cacheMode: 'refresh' })).tools).toEqual(
      first.tools,
    );
    await expect(client.callTool({ name: 'no_such_tool', arguments: {} })).rejects.toThrow(
      'lists no tool',
    );
  });
});
