/**
 * An agent at work behind the gate: it reads, gets one approval and one refusal, and then keeps
 * retrying what waits, as agents do. All calls are real.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Approval } from '../../src/gate/approvals/approval.ts';
import type { Answer } from '../../src/gate/approvals/approval-machine.ts';
import type { Approvals } from '../../src/gate/approvals/approvals.ts';
import { openApprovals } from '../../src/gate/approvals/approvals.ts';
import { openStore } from '../../src/ledger/open-ledger.ts';
import { problemCode } from './problem-code.ts';

export interface AgentInit {
  readonly mcpUrl: URL;
  readonly ledger: string;
}

export interface Agent extends AsyncDisposable {
  /** Ends when every question is answered, or the agent is closed. */
  readonly done: Promise<unknown>;
}

interface Call {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
}

const DAY = 86_400_000;
const COME_BACK_MS = 5000;
const HARBOUR = { id: 'scn_sample_harbour', bbox: [151.2, -33.9, 151.2487, -33.86] };

/** Resolves when the questions are asked. */
export async function playAgent({ mcpUrl, ledger }: AgentInit): Promise<Agent> {
  const client = new Client({ name: 'reef-survey', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(mcpUrl));
  await client.listTools();
  const run = async (name: string, args: Record<string, unknown> = {}): Promise<unknown> => {
    const result = await client.callTool({ name, arguments: args });
    return (result.structuredContent as { readonly id?: unknown } | undefined)?.id;
  };
  for (const code of ['9506000134352', '9506000134369', '4006381333931']) {
    await run('catalog__lookup_product', { gtin: code });
  }
  await run('imagery__catalog.search', { host_name: 'kestrel', bbox: HARBOUR.bbox, limit: 5 });
  await run('imagery__orders.archive.estimate', { captures: [HARBOUR] });
  const pilot = await run('imagery__projects.create', { name: 'Pilot 2024' });
  const [project_id, name] = ['prj_reef', 'Reef edge, winter'];
  const reefs = await run('imagery__collections.create', { project_id, name });
  await using store = await openStore(ledger);
  const approvals = openApprovals(store);
  const order = client.callTool(toOrder('First look at the harbour'));
  await answer(approvals, 'approve');
  await order;
  const refused = client.callTool(toDelete('prj_reef'));
  await answer(approvals, 'decline');
  await refused;
  const asked: Promise<void>[] = [];
  for (const call of [toOrder('Harbour, June'), toRush(), toDelete(pilot), toShare(reefs)]) {
    asked.push(insist(client, call));
    await untilWaiting(approvals, asked.length);
  }
  const done = Promise.allSettled(asked);
  return { done, [Symbol.asyncDispose]: () => client.close() };
}

async function answer(approvals: Approvals, kind: Answer['kind']): Promise<void> {
  const [question] = await untilWaiting(approvals, 1);
  if (question === undefined) return;
  const { id, display } = question;
  await approvals.answer(id, { kind, approver: 'mara', channel: 'terminal', display });
}

async function untilWaiting(approvals: Approvals, count: number): Promise<readonly Approval[]> {
  for (let tries = 0; tries < 200; tries += 1) {
    const pending = await approvals.listPending();
    if (pending.length >= count) return pending;
    await wait(50);
  }
  throw new Error(`${count} calls should wait by now`);
}

/** Retries until the question is answered. */
async function insist(client: Client, call: Call): Promise<void> {
  for (;;) {
    if (problemCode(await client.callTool(call)) !== 'approval-pending') return;
    await wait(COME_BACK_MS);
  }
}

function toOrder(display_name: string): Call {
  const order = {
    project_id: 'prj_reef',
    display_name,
    captures: [HARBOUR],
    expected_credits: 240,
  };
  return { name: 'imagery__orders.archive.place', arguments: order };
}

function toDelete(project_id: unknown): Call {
  return { name: 'imagery__projects.delete', arguments: { project_id } };
}

function toShare(target_id: unknown): Call {
  const expires_at = new Date(Math.ceil(Date.now() / DAY) * DAY + 30 * DAY).toISOString();
  const terms = { permission: 'download', password: 'low tide at six', expires_at };
  const link = { target_type: 'collection', target_id, ...terms };
  return { name: 'imagery__share.link.create', arguments: link };
}

/** Its name displays differently than it is written. */
function toRush(): Call {
  const starts = Math.ceil(Date.now() / DAY) * DAY;
  const group = {
    sensor: 'kestrel-3',
    bbox: [151.21, -33.88, 151.23, -33.86],
    urgency: 'rush',
    window_start: new Date(starts + DAY).toISOString(),
    window_end: new Date(starts + 8 * DAY).toISOString(),
  };
  const display_name = 'Reef \u202Etnegru\u202C\u200B, as agreed';
  return {
    name: 'imagery__orders.tasking.place',
    arguments: { project_id: 'prj_reef', display_name, groups: [group] },
  };
}
