/** Two servers of one name on one ledger: neither gets what is kept of the other's calls. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ServerConfig } from '../../src/gate/config/gate-config.ts';
import type { JsonObject } from '../../src/gate/protocol/frame.ts';
import { GateFixture } from './gate-fixture.ts';
import type { Reply } from './recording-server.ts';

const TOOLS = [{ name: 'place_order', inputSchema: { type: 'object', properties: { item: {} } } }];
const KEY = { _meta: { 'dev.plimsoll/idempotency-key': 'a-key-of-the-caller-1' } };
const ORDER = { item: 'map' };
const LOST: Reply = { failure: { kind: 'lost', detail: 'The server did not answer' } };
let folder: string;
let open: GateFixture[];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-same-name-'));
  open = [];
});

afterEach(async () => {
  for (const gate of open) await gate[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

/** A gate before the server `shop` in this folder. */
async function openGate(cwd: string, run?: () => Reply): Promise<GateFixture> {
  const where = { command: 'shop', args: [], env: {}, cwd };
  const config: ServerConfig = { kind: 'process', name: 'shop', disabled: false, ...where };
  const gate = await GateFixture.open({
    tools: TOOLS,
    config,
    ledger: `sqlite:${join(folder, 'ledger.db')}`,
    // oxlint-disable-next-line unicorn/no-thenable -- a key of the policy; its value is a word
    policy: { rules: [{ name: 'all', then: 'allow' }] },
    ...(run !== undefined && { run }),
  });
  open.push(gate);
  return gate;
}

/** The code of a problem, or the text of an answer. */
function saidBy({ result }: JsonObject): unknown {
  const { structuredContent, content } = result as {
    readonly structuredContent?: { readonly code?: unknown };
    readonly content?: readonly { readonly text?: unknown }[];
  };
  return structuredContent?.code ?? content?.[0]?.text;
}

const answer = (text: string) => (): Reply => ({ result: { content: [{ type: 'text', text }] } });

describe('a key that was used at one', () => {
  it('is refused at the other, and replayed at its own', async () => {
    const staging = await openGate('/staging', answer('staging'));
    const live = await openGate('/live', answer('live'));
    expect(saidBy(await staging.call('place_order', ORDER, KEY))).toBe('staging');
    expect(saidBy(await live.call('place_order', ORDER, KEY))).toBe('key-reused');
    expect(live.server.ran).toEqual([]);
    expect(saidBy(await staging.call('place_order', ORDER, KEY))).toBe('staging');
    expect(staging.server.ran).toEqual(['place_order']);
  });

  it('is not run once more when the earlier call may have taken effect', async () => {
    const staging = await openGate('/staging', () => LOST);
    const live = await openGate('/live', answer('live'));
    await staging.call('place_order', ORDER, KEY);
    expect(saidBy(await live.call('place_order', ORDER, KEY))).toBe('key-reused');
    expect(live.server.ran).toEqual([]);
  });
});

describe('an equal call to the other', () => {
  it('is no repeat that is answered with what the first one answered: a person decides', async () => {
    const staging = await openGate('/staging', answer('staging'));
    const live = await openGate('/live', answer('live'));
    await staging.call('place_order', ORDER);
    await staging.services.ledger.flush();
    // As if the gate had been killed before the answer left.
    await staging.services.ledger.store.transaction((tx) =>
      tx.execute(`UPDATE key_records SET evidence = '[]'`),
    );
    expect(saidBy(await live.call('place_order', ORDER))).toBe('approval-pending');
    await live.answer();
    expect(saidBy(await live.call('place_order', ORDER))).toBe('live');
  });

  it('is not refused because nobody knows what became of the first one: a person decides', async () => {
    const staging = await openGate('/staging', () => LOST);
    const live = await openGate('/live', answer('live'));
    await staging.call('place_order', ORDER);
    expect(saidBy(await live.call('place_order', ORDER))).toBe('approval-pending');
    expect(saidBy(await staging.call('place_order', ORDER))).toBe('outcome-unknown');
  });
});

it('a record of an earlier version counts at every server of its name', async () => {
  const staging = await openGate('/staging', answer('staging'));
  const live = await openGate('/live', answer('live'));
  await staging.call('place_order', ORDER, KEY);
  await staging.services.ledger.store.transaction((tx) =>
    tx.execute(`UPDATE key_records SET address = ''`),
  );
  expect(saidBy(await live.call('place_order', ORDER, KEY))).toBe('staging');
  expect(live.server.ran).toEqual([]);
});
