/** Whatever clients and servers say, in any order: nobody throws, and bytes and message agree. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ScriptedChannel, ScriptedClient, toMeta } from '../../../../test/gate/scripted-channel.ts';
import { openEither } from '../../protocol/eras/open-either.ts';
import type { JsonObject } from '../../protocol/frame.ts';
import { isObject } from '../../protocol/read-frame.ts';
import { openAggregate } from './open-aggregate.ts';

const INFO = { name: 'plimsoll', version: '1.2.3' };

const METHODS = [
  'initialize',
  'server/discover',
  'notifications/initialized',
  'notifications/cancelled',
  'notifications/progress',
  'notifications/tools/list_changed',
  'notifications/subscriptions/acknowledged',
  'tools/list',
  'tools/call',
  'resources/read',
  'resources/subscribe',
  'completion/complete',
  'subscriptions/listen',
  'logging/setLevel',
  'elicitation/create',
  'roots/list',
  'ping',
];

const text = fc.constantFrom('a__t', 'b__', 'x:1', 'plimsoll-1', '');
const id = fc.oneof(fc.integer({ min: 0, max: 4 }), text);
const key = fc.constantFrom(
  'name',
  'uri',
  'ref',
  'arguments',
  'requestId',
  'progressToken',
  'notifications',
  'resourceSubscriptions',
  'inputResponses',
  'requestState',
);
const anything = fc.oneof(
  fc.boolean(),
  fc.constant(null),
  fc.double({ noNaN: true, min: -9, max: 9 }),
  fc.array(text),
  fc.dictionary(fc.oneof(key, fc.string({ unit: 'binary' })), text),
);
const value = fc.oneof(text, id, anything);
const meta = fc.oneof(
  fc.constant(toMeta({ elicitation: {}, roots: {} })),
  fc.dictionary(key, value),
  fc.constant({ 'io.modelcontextprotocol/subscriptionId': 1 }),
);
const params = fc
  .tuple(fc.dictionary(key, value), fc.option(meta, { nil: undefined }))
  .map(([own, _meta]) => ({ ...own, ...(_meta && { _meta }) }));
const result = fc.oneof(
  fc.constant({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} } }),
  fc.constant({ protocolVersion: '2025-11-25', capabilities: { resources: {} } }),
  fc.constant({
    resultType: 'input_required',
    inputRequests: { a: { method: 'roots/list' } },
    requestState: 's',
  }),
  anything,
);
const message = fc.oneof(
  fc.record({ id, method: fc.constantFrom(...METHODS), params }, { requiredKeys: ['method'] }),
  fc.record({ id, result }),
  fc.record({ id, error: fc.oneof(fc.constant({ code: -32_601, message: '' }), anything) }),
);
const steps = fc.array(
  fc.record({ who: fc.constantFrom('client', 'a', 'b', 'answer'), message, result }),
  { minLength: 1, maxLength: 30 },
);

function plain(one: unknown): JsonObject {
  const copy: unknown = JSON.parse(JSON.stringify(one));
  return isObject(copy) ? copy : {};
}

describe('any messages', () => {
  it('pass the translators and the aggregate without an error', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (script) => {
        const servers = { a: new ScriptedChannel(), b: new ScriptedChannel() };
        const options = { clientInfo: { name: 'gate', version: '1' } };
        const behind = Object.entries(servers).map(([name, channel]) => ({
          name,
          channel: openEither(channel, options),
        }));
        const aggregate = openAggregate(behind, { info: INFO, timeoutMs: 1 });
        const client = new ScriptedClient(aggregate);
        for (const { who, message: said, result: answer } of script) {
          if (who === 'client') client.send(plain(said));
          else if (who !== 'answer') servers[who].say(plain(said));
          else {
            for (const server of Object.values(servers)) {
              const asked = server.sent.findLast((frame) => frame.message.method !== undefined);
              if (asked?.message.id === undefined) continue;
              server.say(plain({ id: asked.message.id, result: answer }));
            }
          }
          await Promise.resolve();
        }
        for (const frame of client.frames) {
          const read: unknown = JSON.parse(Buffer.from(frame.bytes).toString('utf8'));
          expect(read).toEqual(plain(frame.message));
        }
        await aggregate[Symbol.asyncDispose]();
        expect(client.isClosed).toBe(true);
      }),
      { numRuns: 500 },
    );
  });
});
