/** Channels that wrap another one, held to the channel contract. */
import { toMeta } from '../gate/scripted-channel.ts';
import type { JsonObject, RpcId } from '../../src/gate/protocol/frame.ts';
import { openEither } from '../../src/gate/protocol/eras/open-either.ts';
import { openAggregate } from '../../src/gate/upstream/aggregate/open-aggregate.ts';
import { channelContract } from './channel.contract.ts';
import { InnerServer } from './inner-server.ts';
import type { ChannelRig } from './witness.ts';
import { LEGACY_HANDSHAKE, toToolCall } from './witness.ts';

const GRACE_MS = 30;
const clientInfo = { name: 'plimsoll', version: '1' };

function toModernCall(id: RpcId, tag: string, name = 'echo'): JsonObject {
  const params = { name, arguments: { tag }, _meta: toMeta() };
  return { id, method: 'tools/call', params };
}

for (const client of ['modern', 'legacy'] as const) {
  const handshake = client === 'modern' ? [] : LEGACY_HANDSHAKE;
  const toCall = client === 'modern' ? toModernCall : toToolCall;

  for (const era of ['modern', 'legacy'] as const) {
    channelContract(`a ${client} client of a ${era} server`, async (): Promise<ChannelRig> => {
      const server = new InnerServer(era);
      const channel = openEither(server, { clientInfo, graceMs: GRACE_MS });
      return { channel, server, handshake, toCall, graceMs: GRACE_MS };
    });
  }

  channelContract(`the aggregate for a ${client} client`, async (): Promise<ChannelRig> => {
    const server = new InnerServer(client);
    const other = new InnerServer(client);
    const channels = [
      { name: 'other', channel: other },
      { name: 'one', channel: server },
    ];
    const channel = openAggregate(channels, { info: clientInfo, graceMs: GRACE_MS });
    const call = (id: RpcId, tag: string): JsonObject =>
      client === 'modern' ? toModernCall(id, tag, 'one__echo') : toToolCall(id, tag, 'one__echo');
    return { channel, server, handshake, toCall: call, graceMs: GRACE_MS };
  });
}
