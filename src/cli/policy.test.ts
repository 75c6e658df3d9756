import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { callReceipt, keepCalls } from '../../test/console/calls-fixture.ts';
import { toTestAnswer, toTestQuestion } from '../../test/gate/approval-fixture.ts';
import { openApprovals } from '../gate/approvals/approvals.ts';
import type { Receipt } from '../ledger/receipt.ts';
import { DEFAULT_POLICY } from '../gate/policy/policy.ts';
import { readPolicy } from '../gate/policy/read-policy.ts';
import { newGateId, openRegistration, readRegistry } from '../gate/registry.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import { runMain } from '../../test/support/run-main.ts';

let folder: string;
let ledger: OpenLedger;

const SHOP = {
  name: 'shop',
  address: 'node shop.js',
  state: 'up',
  trusted: false,
  mode: 'live',
  tools: [
    { name: 'create_issue', description: 'Creates an issue.', inputSchema: { type: 'object' } },
    { name: 'delete_issue', description: 'Deletes an issue.', inputSchema: { type: 'object' } },
    { name: 'get_issue', description: 'Gives an issue.', inputSchema: { type: 'object' } },
  ],
} as const;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-policy-'));
  ledger = await openLedger(`sqlite:${join(folder, 'ledger.sqlite')}`);
  const { store } = ledger;
  const init = { store, servers: () => [SHOP], policy: () => DEFAULT_POLICY, report: () => {} };
  await using _gate = openRegistration(newGateId(), { ...init, lookEveryMs: 5 });
  await vi.waitUntil(async () => (await readRegistry(store)).servers.length === 1);
});

afterEach(async () => {
  await ledger[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

async function policy(...args: readonly string[]): Promise<string> {
  const ledgerArgs = ['--ledger', `sqlite:${join(folder, 'ledger.sqlite')}`];
  return (await runMain(['policy', ...args, ...ledgerArgs])).said;
}

function write(name: string, text: string): string {
  const file = join(folder, name);
  writeFileSync(file, text);
  return file;
}

const at = new Date().toISOString();
const CREATE = { at, operation: 'create_issue', act: 'create', tier: 'compute' } as const;
const DELETE = { at, operation: 'delete_issue', act: 'delete', tier: 'destructive' } as const;
const SPEND = { at, operation: 'pay', act: 'spend', tier: 'external_spend' } as const;

const STOPPED = { decision: 'refused', outcome: 'tool-not-listed' } as const;

/** A question that was polled and then answered with yes. */
function approved(call: Partial<Receipt>, id: string): readonly Receipt[] {
  const waiting = { decision: 'waiting', outcome: 'approval-pending', approval: id } as const;
  return [
    callReceipt({ ...call, ...waiting }),
    callReceipt({ ...call, ...waiting }),
    callReceipt({ ...call, permit: 'approval', approval: id, approver: 'mia' }),
  ];
}

describe('plimsoll policy suggest', () => {
  it('proposes rules that a policy takes, for what was always approved, and counts a question once', async () => {
    const yes = ['1', '2', '3', '4'].flatMap((id) => approved(CREATE, id));
    await keepCalls(ledger, yes, { policy: 'full', args: { repo: 'acme/site', title: 'x' } });
    await keepCalls(
      ledger,
      ['5', '6', '7'].flatMap((id) => approved(DELETE, id)),
    );
    const text = await policy('suggest');
    expect(text).toContain('# You said yes 4 times to create_issue on shop with repo "acme/site"');
    expect(text).toContain(
      '  # With this rule, calls of delete_issue on shop by mia still ask, but a yes may cover more than one call.\n' +
        '  - name: suggested shop delete_issue\n    match:\n      server: shop\n',
    );
    const reading = readPolicy(text);
    if (reading.kind === 'faults') throw new Error(JSON.stringify(reading.faults));
    expect(reading.policy.rules.map((rule) => rule.then)).toEqual(['allow', 'ask']);
    expect(reading.policy.rules).toMatchObject([
      {
        match: { server: ['shop'], tool: ['create_issue'], principal: ['mia'] },
        when: 'has(args.repo) && args.repo == "acme/site" && has(args.title) && args.title == "x"',
      },
      // A delete whose arguments nobody knows is not allowed by habit.
      {
        match: { tool: ['delete_issue'] },
        ask: { grants: ['call', 'arguments', 'session', 'lasting'] },
      },
    ]);
  });

  it('counts a yes that covered more than its call, which only a grant is on record for', async () => {
    const approvals = openApprovals(ledger.store);
    for (const nonce of ['1', '2', '3']) {
      const { id, display } = await approvals.request(toTestQuestion(`{"id":${nonce}}`));
      const answered = await approvals.answer(id, toTestAnswer(display, { grant: 'session' }));
      expect(answered.kind).toBe('decided');
      await keepCalls(ledger, [
        callReceipt({ ...DELETE, decision: 'waiting', outcome: 'approval-pending', approval: id }),
        callReceipt({ ...DELETE, permit: 'grant', approval: `grant ${nonce}`, approver: 'mia' }),
      ]);
    }
    expect(await policy('suggest')).toContain('You said yes 3 times to delete_issue on shop');
  });

  it('proposes nothing for spends, nor where somebody ever said no', async () => {
    await keepCalls(
      ledger,
      ['1', '2', '3', '4'].flatMap((id) => approved(SPEND, id)),
    );
    await keepCalls(ledger, [
      ...['5', '6', '7'].flatMap((id) => approved(CREATE, id)),
      callReceipt({ ...CREATE, decision: 'declined', outcome: 'approval-declined', approval: '8' }),
    ]);
    expect(await policy('suggest')).toContain('nothing to suggest');
  });
});

describe('plimsoll policy replay', () => {
  it('shows what a policy would have said, each question once', async () => {
    await keepCalls(ledger, [
      ...approved(DELETE, '1'),
      callReceipt({ at, operation: 'get_issue', permit: 'policy' }),
      callReceipt({ ...CREATE, permit: 'policy' }),
    ]);
    const file = write(
      'new.yaml',
      `rules:
  - { name: no-deletes, match: { tier: destructive }, then: deny }
  - { name: look-first, match: { tool: create_issue }, then: ask }`,
    );
    const text = await policy('replay', '--policy', file);
    expect(text).toContain('it would allow 1 call, ask about 1 and refuse 1');
    expect(text).toContain('ask -> deny     shop delete_issue  destructive  by no-deletes');
    expect(text).toContain('allow -> ask    shop create_issue  compute  by look-first');
    expect(text).toContain('3 calls were judged without their arguments');
    const { groups } = JSON.parse(await policy('replay', '--policy', file, '--json')) as {
      groups: readonly unknown[];
    };
    expect(groups).toHaveLength(3);
  });
});

describe('calls that something other than a rule stopped', () => {
  const refused = { decision: 'refused', operation: 'get_issue', at } as const;

  it('are not said to have been allowed, in the table and as JSON', async () => {
    await keepCalls(ledger, [
      callReceipt({ ...refused, outcome: 'invalid-request', rule: 'headers' }),
      callReceipt({ ...refused, outcome: 'tool-quarantined', rule: 'quarantined' }),
      callReceipt({ ...DELETE, decision: 'refused', outcome: 'in-flight', permit: 'policy' }),
      callReceipt({ ...DELETE, operation: 'nope', ...STOPPED, effect: 'unknown' }),
      callReceipt({ ...CREATE, decision: 'cancelled', outcome: 'cancelled', sent: false }),
      callReceipt({ ...CREATE, decision: 'refused', outcome: 'denied-by-policy' }),
      callReceipt({ ...CREATE, decision: 'cancelled', outcome: 'cancelled', sent: true }),
    ]);
    const file = write('none.yaml', 'firstUse: allow');
    const text = await policy('replay', '--policy', file);
    expect(text).toContain('it would allow 2 calls, ask about 0 and refuse 0\n');
    expect(text).toContain(
      'stopped         shop get_issue  read  invalid-request; otherwise allow by looking-runs\n',
    );
    expect(text).toContain('tool-quarantined; otherwise allow by');
    expect(text).toContain('shop delete_issue  destructive  in-flight; otherwise ask by');
    expect(text).toContain('stopped         shop nope  unknown  tool-not-listed\n');
    expect(text).toContain('shop create_issue  compute  cancelled; otherwise allow by');
    expect(text).toContain('deny -> allow   shop create_issue');
    expect(text).toContain('5 calls are not counted: stopped for the reason shown');
    const { groups } = JSON.parse(await policy('replay', '--policy', file, '--json')) as {
      groups: readonly Record<string, unknown>[];
    };
    expect(groups.filter(({ was }) => was === 'stopped')).toHaveLength(5);
    const { would, rule, ...nope } = groups.find(({ tool }) => tool === 'nope') ?? {};
    expect([would, rule]).toEqual([undefined, undefined]);
    expect(nope).toMatchObject({ was: 'stopped', outcome: 'tool-not-listed', effect: 'unknown' });
  });
});

describe('plimsoll policy test', () => {
  const RULES = `rules:
  - { name: own, match: { tool: delete_issue }, when: "has(args.repo) && args.repo == 'own'", then: allow }`;

  it('runs cases from a file, and fails when one is not as expected', async () => {
    const rules = write('policy.yaml', RULES);
    const good = write(
      'good.yaml',
      `- { name: own repository, server: shop, tool: delete_issue, arguments: { repo: own }, then: allow, rule: own }
- { name: another, server: shop, tool: delete_issue, arguments: { repo: other }, then: ask }
- { server: elsewhere, tool: get_weather, then: allow }`,
    );
    expect(await policy('test', good, '--policy', rules)).toContain('3 of 3 as expected');
    expect(process.exitCode).toBe(0);
    const bad = write('bad.yaml', '- { name: x, server: shop, tool: delete_issue, then: allow }');
    expect(await policy('test', bad, '--policy', rules)).toContain(
      'failed  x: expected allow, got ask by tier-asks',
    );
    expect(process.exitCode).toBe(1);
  });

  it('says where a case is wrong', async () => {
    const file = write('cases.yaml', '- { server: shop, tool: a, then: maybe }');
    const said = await policy('test', file, '--policy', write('policy.yaml', RULES));
    expect(said).toContain('cases.yaml:1:');
    expect(process.exitCode).toBe(2);
  });
});

describe('plimsoll policy check', () => {
  it('names what fits no server or tool', async () => {
    const file = write(
      'policy.yaml',
      `rules:
  - { name: typo, match: { server: shop, tool: delete_isue }, then: deny }
  - { name: nowhere, match: { server: shpo }, then: deny }
  - { name: fine, match: { tool: "delete_*" }, then: ask }
caches:
  - { tool: read_*, seconds: 5 }`,
    );
    const text = await policy('check', file);
    expect(text).toContain(
      'rules[0] "typo": no server named "shop" has a tool named "delete_isue"',
    );
    expect(text).toContain('rules[1] "nowhere": no server is named "shpo"');
    expect(text).toContain('caches[0]: no server has a tool named "read_*"');
    expect(text).not.toContain('fine');
    expect(process.exitCode).toBe(1);
    const good = write('good.yaml', 'rules: [{ name: a, match: { server: shop }, then: ask }]');
    expect(await policy('check', good)).toContain('every rule fits something');
    expect(process.exitCode).toBe(0);
  });

  it.each(['', 'mode: sandbox\n'])('says that %j has no rules', async (text) => {
    const file = write('empty.yaml', text);
    expect(await policy('check', file)).toBe(`${file}: no rules; the default rules apply\n`);
    expect(process.exitCode ?? 0).toBe(0);
  });
});
