/** An answer that is stored or cached for a client of one revision, given to a client of the other. */
import { describe, expect, it } from 'vitest';
import { META, MODERN_VERSION } from '../../src/gate/protocol/envelope.ts';
import type { JsonObject } from '../../src/gate/protocol/frame.ts';
import { GateFixture } from './gate-fixture.ts';
import { toText, toTool } from './recording-server.ts';

const TOOLS = [
  toTool('get_note', 'Reads a note.', ['id']),
  toTool('place_order', 'Places a paid order and charges the card.', ['item']),
  toTool('create_api_key', 'Creates a new API key and returns the secret.', ['name']),
];
const SERVER = { name: 'recording', version: '1' };
const MODERN = { ...toText('7'), resultType: 'complete', _meta: { [META.server]: SERVER, own: 1 } };
const LEGACY = { ...toText('7'), _meta: { own: 1 } };
const ENVELOPE = { [META.version]: MODERN_VERSION, [META.capabilities]: {} };

type Era = 'modern' | 'legacy';

/** One server for both eras, whose answers have the form of the request. */
function open(): Promise<GateFixture> {
  return GateFixture.open({
    tools: TOOLS,
    run: (_, params) => ({ result: isModern(params) ? MODERN : LEGACY }),
    policy: {
      // oxlint-disable-next-line unicorn/no-thenable -- a key of the policy; its value is a word
      rules: [{ name: 'all', then: 'allow' }],
      caches: [{ tool: 'get_note', seconds: 60 }],
    },
  });
}

function isModern({ _meta }: JsonObject): boolean {
  return typeof _meta === 'object' && _meta !== null && META.version in _meta;
}

async function call(gate: GateFixture, era: Era, name: string): Promise<JsonObject> {
  const key = { 'dev.plimsoll/idempotency-key': 'key-of-sixteen-characters' };
  const _meta = { ...(era === 'modern' && ENVELOPE), ...(name !== 'get_note' && key) };
  const { result } = await gate.call(name, { id: '1' }, { _meta });
  return result as JsonObject; // every call here has one
}

describe('an answer kept from a call of the other revision', () => {
  it.each(['place_order', 'get_note'])('%s: 2026 gets the result type', async (name) => {
    await using gate = await open();
    await call(gate, 'legacy', name);
    const again = await call(gate, 'modern', name);
    expect(again).toMatchObject({ ...LEGACY, resultType: 'complete' });
    expect(gate.server.ran).toEqual([name]);
  });

  it.each(['place_order', 'get_note'])('%s: 2025 gets nothing of 2026', async (name) => {
    await using gate = await open();
    await call(gate, 'modern', name);
    const again = await call(gate, 'legacy', name);
    expect(again).toMatchObject(LEGACY);
    expect(again).not.toHaveProperty('resultType');
    expect(again['_meta']).not.toHaveProperty([META.server]);
    expect(gate.server.ran).toEqual([name]);
  });

  it('2026 gets the result type with the notice that stands for a secret', async () => {
    await using gate = await open();
    await call(gate, 'legacy', 'create_api_key');
    const again = await call(gate, 'modern', 'create_api_key');
    expect(again).toMatchObject({
      resultType: 'complete',
      _meta: { 'dev.plimsoll/replayed': true },
    });
    expect(gate.server.ran).toEqual(['create_api_key']);
  });

  it.each(['modern', 'legacy'] as const)('%s to the same: every byte stays', async (era) => {
    await using gate = await open();
    await call(gate, era, 'get_note');
    expect(await call(gate, era, 'get_note')).toEqual(era === 'modern' ? MODERN : LEGACY);
  });
});
