/**
 * What hints and `_meta` of a server make the gate do: a table of tools whose names say nothing, so that
 * only what the server sends can decide.
 */
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/gate/protocol/frame.ts';
import type { GateFixtureOptions } from './gate-fixture.ts';
import { GateFixture } from './gate-fixture.ts';
import { problemIn, toText, toTool } from './recording-server.ts';

const NAME = 'zorvex';
const TIER = 'x-side-effect';

let gate: GateFixture;

afterEach(() => gate[Symbol.asyncDispose]());

async function open(sent: JsonObject, options: Partial<GateFixtureOptions> = {}): Promise<void> {
  gate = await GateFixture.open({ tools: [toTool(NAME, '', [], sent)], trusted: true, ...options });
}

/** Whether a call waits for a person; if it does not, it has run. */
async function asks(): Promise<boolean> {
  const answer = await gate.call(NAME);
  const isAsked = problemIn(answer)['code'] === 'approval-pending';
  expect(gate.server.ran).toEqual(isAsked ? [] : [NAME]);
  expect(await gate.services.approvals.listPending()).toHaveLength(isAsked ? 1 : 0);
  return isAsked;
}

const WRITES = { readOnlyHint: false, destructiveHint: false, idempotentHint: false };

describe('a trusted server', () => {
  it.each<readonly [string, JsonObject, boolean]>([
    ['readOnlyHint alone', { annotations: { readOnlyHint: true } }, false],
    [
      'readOnlyHint and read',
      { annotations: { readOnlyHint: true }, _meta: { [TIER]: 'read' } },
      false,
    ],
    ['read alone', { _meta: { [TIER]: 'read' } }, false],
    ['compute', { annotations: WRITES, _meta: { [TIER]: 'compute' } }, false],
    ['external_spend', { annotations: WRITES, _meta: { [TIER]: 'external_spend' } }, true],
    ['external_spend alone', { _meta: { [TIER]: 'external_spend' } }, true],
    ['share_export', { annotations: WRITES, _meta: { [TIER]: 'share_export' } }, true],
    ['share_export alone', { _meta: { [TIER]: 'share_export' } }, true],
    ['destructive', { annotations: WRITES, _meta: { [TIER]: 'destructive' } }, true],
    ['destructive alone', { _meta: { [TIER]: 'destructive' } }, true],
  ])('R126: is confirmed or not by what it sends: %s', async (_, sent, isAsked) => {
    await open(sent);
    expect(await asks()).toBe(isAsked);
  });

  it('that says readOnlyHint and a graver tier at once contradicts itself, and is asked about', async () => {
    await open({ annotations: { readOnlyHint: true }, _meta: { [TIER]: 'external_spend' } });
    expect(await asks()).toBe(true);
  });

  it.each<readonly [string, JsonObject]>([
    ['neither', {}],
    ['no hint but openWorldHint', { annotations: { openWorldHint: true } }],
  ])('R216: with %s of tier and readOnlyHint is asked about', async (_, sent) => {
    await open(sent);
    expect(await asks()).toBe(true);
  });
});

describe('a server whose hints follow the geopera convention, without `_meta`', () => {
  const SPEND = { ...WRITES, idempotentHint: true, openWorldHint: true };
  const policy = { servers: { shop: { convention: 'geopera' } } } as const;

  it('R215: is asked about idempotentHint true', async () => {
    await open({ annotations: SPEND }, { policy });
    expect(await asks()).toBe(true);
    const [question] = await gate.services.approvals.listPending();
    expect(question?.card?.tier).toBe('external_spend');
    expect(question?.card?.reasons[0]).toContain('by the geopera convention');
  });

  it.each([
    ['asked about', policy, ['external_spend']],
    ['run where nobody says that its server follows the convention', { firstUse: 'allow' }, []],
  ] as const)(
    'R215: a tool of an untrusted server that sends idempotentHint true alone is %s',
    async (_, terms, asked) => {
      const annotations = { idempotentHint: true };
      const tools = [toTool('update_note', 'Changes a note.', ['id'], { annotations })];
      gate = await GateFixture.open({ tools, policy: terms });
      await gate.call('update_note', { id: '1' });
      const pending = await gate.services.approvals.listPending();
      expect(pending.map(({ card }) => card?.tier)).toEqual(asked);
      expect(gate.server.ran).toEqual(asked.length > 0 ? [] : ['update_note']);
    },
  );

  it.each([
    ['sharing asks', { ...WRITES, openWorldHint: true }, true],
    ['compute runs', { ...WRITES, openWorldHint: false }, false],
    ['a read runs', { ...WRITES, readOnlyHint: true, openWorldHint: true }, false],
  ] as const)('has its other rows read as well: %s', async (_, annotations, isAsked) => {
    await open({ annotations }, { policy });
    expect(await asks()).toBe(isAsked);
  });
});

describe('the cache', () => {
  const caches = [{ tool: [NAME], seconds: 60 }];
  const policy = { mode: 'sandbox', caches } as const;

  it.each([
    ['with readOnlyHint', { readOnlyHint: true }, 1],
    ['without it', { ...WRITES, openWorldHint: false }, 2],
  ] as const)(
    'R156: the same tool %s, called twice, reaches a trusted server as often as that allows',
    async (_, annotations, times) => {
      await open({ annotations, _meta: {} }, { policy });
      const [first, second] = [await gate.call(NAME), await gate.call(NAME)];
      expect(first).toMatchObject({ result: toText(`${NAME} ran`) });
      expect(second['result']).toEqual(first['result']);
      expect(gate.server.ran).toHaveLength(times);
    },
  );
});
