/** The gate itself as a channel: reads, writes and spends, allowed, asked about and answered, or left waiting. */
import { afterAll } from 'vitest';
import { openGate } from '../../src/gate/call/open-gate.ts';
import { openServices, toContext } from '../../src/gate/open-services.ts';
import type { PolicyInit } from '../../src/gate/policy/to-policy.ts';
import { toPolicy } from '../../src/gate/policy/to-policy.ts';
import { openEither } from '../../src/gate/protocol/eras/open-either.ts';
import type { JsonObject, RpcId } from '../../src/gate/protocol/frame.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { ADA, toMeta } from '../gate/scripted-channel.ts';
import { answeringChannelContract, channelContract } from './channel.contract.ts';
import { InnerServer } from './inner-server.ts';
import type { ChannelRig } from './witness.ts';
import { LEGACY_HANDSHAKE, toToolCall } from './witness.ts';

const GRACE_MS = 30;
const clientInfo = { name: 'plimsoll', version: '1' };
const ledger = await openLedger('sqlite::memory:');

afterAll(() => ledger[Symbol.asyncDispose]());

interface Case {
  readonly name: string;
  readonly tool: string;
  readonly policy?: PolicyInit;
  readonly isApproved?: boolean;
}

/** A lost call is sent again where its effect permits; the suite watches one sending. */
const ONCE: PolicyInit = { retries: { attempts: 1 } };
// oxlint-disable-next-line unicorn/no-thenable -- a key of the policy; its value is a word
const FREE: PolicyInit = { ...ONCE, rules: [{ name: 'free', then: 'allow' }] };

const SERVED: readonly Case[] = [
  { name: 'reads', tool: 'get_note', policy: ONCE },
  { name: 'writes', tool: 'add_note', policy: FREE },
  { name: 'spends that the policy allows', tool: 'place_order', policy: FREE },
  { name: 'spends with a yes', tool: 'place_order', policy: ONCE, isApproved: true },
];

function open(
  { tool, policy = {}, isApproved = false }: Case,
  era: 'modern' | 'legacy',
): Promise<ChannelRig> {
  const services = openServices({
    ledger,
    policy: toPolicy({ asking: { holdSeconds: isApproved ? 30 : 0 }, ...policy }),
    report: () => {},
    announce: ({ id, display }) => {
      if (!isApproved) return;
      void services.approvals.answer(id, {
        kind: 'approve',
        approver: 'mia',
        channel: 'terminal',
        display,
      });
    },
  });
  const server = new InnerServer(era);
  const inner = openEither(server, { clientInfo, graceMs: GRACE_MS });
  const channel = openGate(inner, toContext(services, { server: 's' }), {
    readMs: GRACE_MS,
    otherMs: GRACE_MS,
  });
  const toCall = (id: RpcId, tag: string): JsonObject => {
    const call = toToolCall(id, tag, tool);
    if (era === 'legacy') return call;
    return { ...call, params: { ...(call['params'] as JsonObject), _meta: toMeta() } };
  };
  const handshake = era === 'modern' ? [] : LEGACY_HANDSHAKE;
  return Promise.resolve({
    channel,
    server,
    handshake,
    toCall,
    graceMs: GRACE_MS,
    // Each run is of somebody else, so that none repeats a spend of another.
    caller: { ...ADA, principal: { id: `ada ${(serial += 1)}`, scopes: [] } },
    answersFailures: true,
  });
}

let serial = 0;

for (const era of ['modern', 'legacy'] as const) {
  for (const each of SERVED) {
    channelContract(`the gate, ${each.name}, ${era}`, () => open(each, era), { runs: 20 });
  }
  const waiting = { name: 'waiting', tool: 'place_order', policy: ONCE };
  const name = `the gate whose calls wait for a yes, ${era}`;
  answeringChannelContract(name, () => open(waiting, era), { runs: 20 });
}
