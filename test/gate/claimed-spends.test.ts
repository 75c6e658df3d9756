/** A server that nobody trusts and that says it spends: each call is approved for itself, whatever its hints say. */
import { afterEach, expect, it } from 'vitest';
import { plimsoll } from '../../src/effect/conventions/plimsoll.ts';
import type { Effect } from '../../src/effect/effect.ts';
import { spends } from '../../src/effect/acts.ts';
import type { JsonObject } from '../../src/gate/protocol/frame.ts';
import { stamp } from '../../src/effect/stamp.ts';
import { GateFixture } from './gate-fixture.ts';
import { toTool } from './recording-server.ts';

let gate: GateFixture;

afterEach(() => gate[Symbol.asyncDispose]());

function declared(name: string, effect: Effect): JsonObject {
  const declaration = { name, title: 'Print', effect, produces: [], scopes: [] } as const;
  const tool = {
    ...toTool(name, 'Prints a note on paper.', ['id']),
    ...stamp(declaration, plimsoll),
  };
  return JSON.parse(JSON.stringify(tool)) as JsonObject; // as it is sent
}

it.each(['print_note', 'delete_note'])('%s', async (name) => {
  gate = await GateFixture.open({ tools: [declared(name, spends('EUR'))] });
  await gate.call(name, { id: '1' });
  await expect(gate.answer('approve', { grant: 'session' })).rejects.toThrow(
    'does not let a yes cover',
  );
  await gate.answer();
  await gate.call(name, { id: '1' });
  expect(gate.server.ran).toEqual([name]);
  await gate.call(name, { id: '1' });
  await gate.call(name, { id: '2' });
  expect(gate.server.ran).toEqual([name]);
  expect((await gate.receipts()).map(({ rule }) => rule)).toContain('duplicate-intent');
});
