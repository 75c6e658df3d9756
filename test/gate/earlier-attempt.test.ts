/** A read that was sent, got no answer and could not be sent again: nobody is told that nothing ran. */
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/gate/protocol/frame.ts';
import { isObject } from '../../src/gate/protocol/read-frame.ts';
import type { GateFixtureOptions } from './gate-fixture.ts';
import { GateFixture } from './gate-fixture.ts';
import type { Reply } from './recording-server.ts';
import { toTool } from './recording-server.ts';

const TOOLS = [toTool('get_note', 'Reads a note.', ['id'])];
const LOST: Reply = { failure: { kind: 'lost', detail: 'the pipe broke' } };
const REFUSED: Reply = { failure: { kind: 'not-sent', detail: 'connect ECONNREFUSED' } };

const LONGEST_RETRY_MS = 150;

let gate: GateFixture;
afterEach(() => gate[Symbol.asyncDispose]());

/** The first attempt is lost; what comes after it is up to the test. */
async function open(then: Reply, options: Partial<GateFixtureOptions> = {}): Promise<void> {
  let attempts = 0;
  const run = (): Reply => {
    attempts += 1;
    return attempts === 1 ? LOST : then;
  };
  gate = await GateFixture.open({ tools: TOOLS, run, ...options });
  await gate.request('tools/list');
}

/** All that the client is told, in whatever form. */
async function told(): Promise<string> {
  const { result, error } = await gate.call('get_note', { id: '1' });
  const said = JSON.stringify(result ?? error);
  expect(isObject(error) || (isObject(result) && result['isError'] === true)).toBe(true);
  return said;
}

const SENT = 'An earlier attempt was sent and may have run.';

describe('a read whose first attempt was lost', () => {
  it('and whose server cannot be reached then', async () => {
    await open(REFUSED);
    const said = await told();
    expect(said).toContain('ECONNREFUSED');
    expect(said).toContain(SENT);
    expect(said).not.toContain('Nothing was run');
    expect(await gate.receipts()).toMatchObject([{ decision: 'ran', attempts: 3 }]);
  });

  it('is told otherwise than one of which no attempt was sent', async () => {
    gate = await GateFixture.open({ tools: TOOLS, run: () => REFUSED });
    const said = await told();
    expect(said).toContain('Nothing was run');
    expect(said).not.toContain(SENT);
    expect(await gate.receipts()).toMatchObject([{ decision: 'refused' }]);
  });

  it.each([
    ['cannot list its tools', { lists: REFUSED }, 'ECONNREFUSED'],
    ['has lost the tool', { tools: [] }, 'lists no tool'],
    [
      'changed it into something that asks',
      { tools: [toTool('get_note', 'Deletes a note for good.', ['id'], toDestroying())] },
      'plimsoll approve',
    ],
  ])('and whose server restarted and %s', async (_, script, why) => {
    await open('silence');
    const answer = told();
    await expect.poll(() => gate.server.ran).toHaveLength(1);
    gate.server.renew({ tools: TOOLS, ...script });
    const said = await answer;
    expect(said).toContain(why);
    expect(said).toContain(SENT);
    expect(said).not.toContain('Nothing was run');
  });

  it('and that is cancelled while its tool is looked up again', async () => {
    const requestId = await beginAgain();
    const cancel = { method: 'notifications/cancelled', params: { requestId } };
    gate.write(JSON.stringify({ jsonrpc: '2.0', ...cancel }));
    await expect.poll(() => gate.receipts()).toMatchObject([{ decision: 'cancelled', sent: true }]);
  });

  it('and whose gate stops while its tool is looked up again', async () => {
    const id = await beginAgain();
    const { receipts } = await gate.stop(() => {});
    expect(receipts).toMatchObject([{ decision: 'abandoned', outcome: 'gate-stopped' }]);
    expect(JSON.stringify(await gate.answerTo(id))).not.toContain('Nothing was run');
  });
});

/** Gives the id of a call that waits for the new server to list its tools. */
async function beginAgain(): Promise<number> {
  await open('silence');
  const id = gate.newId();
  const params = { name: 'get_note', arguments: { id: '1' } };
  gate.write(JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params }));
  await expect.poll(() => gate.server.ran).toHaveLength(1);
  gate.server.renew({ tools: TOOLS, lists: 'silence' });
  await wait(LONGEST_RETRY_MS);
  return id;
}

function toDestroying(): JsonObject {
  return { annotations: { destructiveHint: true, readOnlyHint: false } };
}
