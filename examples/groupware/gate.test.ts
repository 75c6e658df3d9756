/** The week through the gate: a person is asked exactly where the declared effect of a call asks. */
import type { Client } from '@modelcontextprotocol/client';
import { Client as McpClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Convention } from 'plimsoll';
import { narrowEffect, nextcloud, TIERS } from 'plimsoll';
import type { OpenLedger } from 'plimsoll/server';
import { gateTransport, openApprovals, openLedger, toPolicy } from 'plimsoll/gate';
import { describe, expect, it } from 'vitest';
import { withEffects } from './create-groupware.ts';
import type { TestGroupware } from './test-groupware.ts';
import {
  answerQuestions,
  CAPABILITIES,
  openRecipePage,
  openTestGroupware,
  toCallTool,
} from './test-groupware.ts';
import { workAWeek } from './week/work-a-week.ts';
import type { CallTool, Step } from './week/worker.ts';
import { Worker } from './week/worker.ts';

describe('the week through the gate', () => {
  it('asks exactly where the effect of a call asks, if the server states its effects', async () => {
    const { asked, expected } = await workBehindGate(withEffects);
    expect(asked).toEqual(expected);
    expect(asked.length).toBeGreaterThan(15);
  }, 120_000);

  it('asks there from hints alone, too, and wherever they leave open what a call does', async () => {
    const { asked, expected } = await workBehindGate(nextcloud);
    expect(expected.filter((tool) => !asked.includes(tool))).toEqual([]);
    expect(asked.length).toBeGreaterThan(expected.length);
  }, 120_000);
});

async function workBehindGate(
  convention: Convention,
): Promise<{ readonly asked: readonly string[]; readonly expected: readonly string[] }> {
  await using page = await openRecipePage();
  await using groupware = await openTestGroupware({ allow: [page.host], convention });
  await using ledger = await openLedger('sqlite::memory:');
  const client = await connectThroughGate(groupware, ledger);
  const { call, asked } = approving(client, openApprovals(ledger.store));
  const worker = new Worker(call);
  await workAWeek(worker, { recipePage: page.url });
  await client.close();
  return { asked, expected: worker.steps.filter(asksIn(groupware)).map(({ tool }) => tool) };
}

async function connectThroughGate(groupware: TestGroupware, ledger: OpenLedger): Promise<Client> {
  const client = new McpClient(
    { name: 'test', version: '1.0.0' },
    { capabilities: CAPABILITIES, versionNegotiation: { mode: { pin: '2026-07-28' } } },
  );
  answerQuestions(client);
  const headers = { authorization: 'Bearer mara' };
  const transport = new StreamableHTTPClientTransport(new URL(`${groupware.http.url}/mcp`), {
    requestInit: { headers },
  });
  const policy = toPolicy({ asking: { holdSeconds: 0 } });
  await client.connect(
    gateTransport(transport, { server: 'groupware', ledger, policy, trusted: true }),
  );
  await client.listTools();
  return client;
}

function asksIn({ server }: TestGroupware): (step: Step) => boolean {
  return ({ tool, args }) => {
    const declared = server.operations.get(tool)?.effect;
    if (declared === undefined) return false;
    const { tier, reach } = narrowEffect(declared, { ...args });
    // In live mode, what goes out to an address of the caller's choice asks as well.
    return TIERS[tier].asks || reach === 'user-url';
  };
}

/** Calls through the gate with a person who says yes to everything. */
function approving(
  client: Client,
  approvals: ReturnType<typeof openApprovals>,
): { readonly call: CallTool; readonly asked: readonly string[] } {
  const asked: string[] = [];
  const plain = toCallTool(client);
  const call: CallTool = async (name, args) => {
    const result = await client.callTool({ name, arguments: { ...args } });
    if (result.isError !== true) return result.structuredContent as Record<string, unknown>;
    const [question] = await approvals.listPending();
    if (question === undefined) throw new Error(`${name}: ${JSON.stringify(result.content)}`);
    asked.push(question.binding.tool);
    await approvals.answer(question.id, {
      kind: 'approve',
      approver: 'mara',
      channel: 'terminal',
      display: question.display,
    });
    return plain(name, args);
  };
  return { call, asked };
}
