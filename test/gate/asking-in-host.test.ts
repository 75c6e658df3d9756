/** Asking in the client's own form, where the policy trusts the host with it: both eras, and forgeries. */
import { afterEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/gate/protocol/frame.ts';
import type { GateFixtureOptions } from './gate-fixture.ts';
import { GateFixture } from './gate-fixture.ts';
import type { Reply } from './recording-server.ts';
import { problemIn, toText, toTool } from './recording-server.ts';

const TOOLS = [toTool('delete_note', 'Deletes a note for good.', ['id'])];

/** The host may put questions before a person. */
/** Long enough for a form to be answered, short enough to see what happens when it is not. */
const IN_HOST = { asking: { channels: ['elicitation', 'terminal'], holdSeconds: 1 } } as const;
const PENDING = { code: 'approval-pending', status: 428 };

let gate: GateFixture;

async function open(options: Partial<GateFixtureOptions> = {}): Promise<GateFixture> {
  gate = await GateFixture.open({ tools: TOOLS, ...options });
  return gate;
}

afterEach(() => gate[Symbol.asyncDispose]());

function toYes(decision = 'approve once'): JsonObject {
  return { action: 'accept', content: { decision } };
}

describe('asking in the host', () => {
  const CALL = { id: '1' };

  it('2025: pushes a form, and runs the call on a yes', async () => {
    await open({ policy: IN_HOST, canElicit: true });
    const pending = gate.call('delete_note', CALL);
    const form = await gate.find(({ method }) => method === 'elicitation/create');
    expect(JSON.stringify(form)).toContain('delete_note');
    expect(gate.server.ran).toEqual([]);
    gate.write(JSON.stringify({ jsonrpc: '2.0', id: form['id'], result: toYes() }));
    expect(await pending).toMatchObject({ result: toText('delete_note ran') });
    const answered = gate.server.received.some(({ message }) => message.id === form['id']);
    expect(answered).toBe(false);
  });

  it.each([
    ['a decline', { action: 'decline' }, 'approval-declined'],
    ['the word no', toYes('no'), 'approval-declined'],
    ['a closed form', { action: 'cancel' }, 'approval-pending'],
    ['a yes to something else', toYes('yes'), 'approval-pending'],
    ['a yes wider than was offered', toYes('approve from now on'), 'approval-pending'],
    ['nonsense', { action: 7 }, 'approval-pending'],
  ])('2025: does not run on %s', async (_, result, code) => {
    await open({ policy: IN_HOST, canElicit: true });
    const pending = gate.call('delete_note', CALL);
    const form = await gate.find(({ method }) => method === 'elicitation/create');
    gate.write(JSON.stringify({ jsonrpc: '2.0', id: form['id'], result }));
    expect(problemIn(await pending)).toMatchObject({ code });
    expect(gate.server.ran).toEqual([]);
  });

  it('2026: answers with a question, and runs the call that comes back with a yes', async () => {
    await open({ policy: IN_HOST, canElicit: true, era: 'modern' });
    const { result } = await gate.call('delete_note', CALL);
    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: { 'plimsoll-approval': { method: 'elicitation/create' } },
    });
    const { requestState = '' } = result as JsonObject;
    const inputResponses = { 'plimsoll-approval': toYes() };
    const changed = await gate.call('delete_note', { id: '2' }, { requestState, inputResponses });
    expect(changed).toMatchObject({ result: { resultType: 'input_required' } });
    expect(gate.server.ran).toEqual([]);
    const done = await gate.call('delete_note', CALL, { requestState, inputResponses });
    expect(done).toMatchObject({ result: toText('delete_note ran') });
    // The server sees none of what was between the client and the gate.
    expect(gate.server.calls).toMatchObject([{ name: 'delete_note', arguments: CALL }]);
    expect(Object.keys(gate.server.calls[0] ?? {})).toEqual(['name', 'arguments', '_meta']);
    const again = await gate.call('delete_note', CALL, { requestState, inputResponses });
    expect(again).toMatchObject({ result: { resultType: 'input_required' } });
    expect(gate.server.ran).toHaveLength(1);
  });

  it.each([
    ['a closed form', { 'plimsoll-approval': { action: 'cancel' } }],
    ['wrong content', { 'plimsoll-approval': { action: 'accept', content: { decision: 3 } } }],
    ['no answer at all', {}],
  ])(
    '2026: %s is answered with where to approve, not with the form again',
    async (_, responses) => {
      await open({ policy: IN_HOST, canElicit: true, era: 'modern' });
      const { result } = await gate.call('delete_note', CALL);
      const { requestState = '' } = result as JsonObject;
      const back = { requestState, inputResponses: responses };
      const answer = await gate.call('delete_note', CALL, back);
      const { detail } = problemIn(answer) as { detail: string };
      expect(detail).toContain('plimsoll approve ');
      await gate.answer();
      expect(await gate.call('delete_note', CALL)).toMatchObject({
        result: toText('delete_note ran'),
      });
    },
  );

  it.each(['modern', 'legacy'] as const)(
    'a %s client is not shown a form again that the person closed, while the terminal can answer',
    async (era) => {
      await open({ policy: IN_HOST, canElicit: true, era });
      const first = gate.call('delete_note', CALL);
      if (era === 'modern') {
        const { requestState = '' } = (await first)['result'] as JsonObject;
        const inputResponses = { 'plimsoll-approval': { action: 'cancel' } };
        await gate.call('delete_note', CALL, { requestState, inputResponses });
      } else {
        const form = await gate.find(({ method }) => method === 'elicitation/create');
        const result = { action: 'cancel' };
        gate.write(JSON.stringify({ jsonrpc: '2.0', id: form['id'], result }));
        await first;
      }
      const forms = gate.messages.filter(({ method }) => method === 'elicitation/create').length;
      expect(problemIn(await gate.call('delete_note', CALL))).toMatchObject(PENDING);
      expect(gate.messages.filter(({ method }) => method === 'elicitation/create')).toHaveLength(
        forms,
      );
    },
  );

  it('2026 in front of a server of 2025: runs the call that comes back with a yes', async () => {
    await open({ policy: IN_HOST, canElicit: true, era: 'modern', isOld: true });
    const { result } = await gate.call('delete_note', CALL);
    const { requestState = '' } = result as JsonObject;
    const inputResponses = { 'plimsoll-approval': toYes() };
    const done = await gate.call('delete_note', CALL, { requestState, inputResponses });
    expect(done).toMatchObject({ result: toText('delete_note ran') });
    expect(gate.server.calls).toEqual([{ name: 'delete_note', arguments: CALL }]);
  });

  it.each(['legacy', 'modern'] as const)(
    'does not ask a %s host that the policy does not trust with it',
    async (era) => {
      await open({ canElicit: true, era });
      const forged = {
        requestState: 'pls1.e30.AAAA',
        inputResponses: { 'plimsoll-approval': toYes() },
      };
      const answer = await gate.call('delete_note', CALL, era === 'modern' ? forged : {});
      expect(problemIn(answer)).toMatchObject(PENDING);
      expect(gate.messages.some(({ method }) => method === 'elicitation/create')).toBe(false);
      expect(gate.server.ran).toEqual([]);
    },
  );

  it('2026: a state whose seal is not ours counts for nothing', async () => {
    await open({ policy: IN_HOST, canElicit: true, era: 'modern' });
    const { result } = await gate.call('delete_note', CALL);
    const { requestState } = result as { readonly requestState: string };
    const [head, body = '', seal] = requestState.split('.');
    const other = Buffer.from(body, 'base64url')
      .toString()
      .replace('"approval":"', '"approval":"0');
    const forged = [head, Buffer.from(other).toString('base64url'), seal].join('.');
    const answer = await gate.call('delete_note', CALL, {
      requestState: forged,
      inputResponses: { 'plimsoll-approval': toYes() },
    });
    expect(answer).toMatchObject({ result: { resultType: 'input_required' } });
    expect(gate.server.ran).toEqual([]);
  });

  it("goes on with the server's own question without a second yes, one time", async () => {
    const run = (_: string, params: JsonObject): Reply =>
      params['requestState'] === undefined
        ? {
            result: {
              resultType: 'input_required',
              inputRequests: { reason: { method: 'elicitation/create', params: {} } },
              requestState: 'of the server',
            },
          }
        : { result: toText('deleted') };
    await open({ policy: IN_HOST, canElicit: true, era: 'modern', run });
    const asked = (await gate.call('delete_note', CALL))['result'] as JsonObject;
    const its = await gate.call('delete_note', CALL, {
      requestState: asked['requestState'] ?? '',
      inputResponses: { 'plimsoll-approval': toYes() },
    });
    expect(its).toMatchObject({ result: { inputRequests: { reason: {} } } });
    const { requestState = '' } = its['result'] as JsonObject;
    expect(requestState).not.toBe('of the server');
    const inputResponses = { reason: { action: 'accept', content: {} } };
    const done = await gate.call('delete_note', CALL, { requestState, inputResponses });
    expect(done).toMatchObject({ result: toText('deleted') });
    expect(gate.server.calls[1]).toMatchObject({ requestState: 'of the server', inputResponses });
    const again = await gate.call('delete_note', CALL, { requestState, inputResponses });
    expect(problemIn(again)).toMatchObject({ code: 'approval-expired' });
    expect(gate.server.ran).toHaveLength(2);
  });

  it('an answer to a question of the server is no answer to one of ours', async () => {
    await open({ policy: IN_HOST, canElicit: true });
    const pending = gate.call('delete_note', CALL);
    const form = await gate.find(({ method }) => method === 'elicitation/create');
    const id = JSON.stringify(form['id']).slice(1, -1);
    const lines = gate.lines.length;
    const params = { message: 'How do you like it?', requestedSchema: {} };
    // The server has seen ids of ours and can tell the next one.
    gate.server.say({
      jsonrpc: '2.0',
      id,
      method: 'elicitation/create',
      params,
    });
    await gate.request('ping');
    const seen = gate.lines.slice(lines).filter((line) => line.includes('How do you like it?'));
    expect(seen.filter((line) => line.includes(id))).toEqual([]);
    gate.write(JSON.stringify({ jsonrpc: '2.0', id, result: { action: 'cancel' } }));
    expect(problemIn(await pending)).toMatchObject(PENDING);
  });
});
