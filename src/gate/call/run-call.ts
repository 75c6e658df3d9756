/**
 * Runs a call that has permit to run: spends its permit and its budgets, makes the intent durable, sends
 * it as often as its effect permits, and records how it ended before the answer goes out.
 */
import { TIERS } from '../../effect/tier.ts';
import type { Admission } from '../../ledger/idempotency/key-records.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import { beginCall } from './begin-call.ts';
import type { Begun } from './begin-call.ts';
import { endCall } from './end-call.ts';
import type { CallPort, GateCall, Permit } from './gate-call.ts';
import type { GateContext } from '../gate-services.ts';
import { holdLease } from './hold-lease.ts';
import type { Delivery } from '../protocol/channel.ts';
import { insertKey } from './insert-key.ts';
import { readCallerKey } from './read-caller-key.ts';
import type { CallerKey } from './read-caller-key.ts';
import type { Run } from './run-with-retries.ts';
import { runWithRetries } from './run-with-retries.ts';
import { refuseCall, toStandingProblem } from './refuse-call.ts';
import { toReplayAnswer } from './to-answer.ts';
import type { Frame } from '../protocol/frame.ts';
import { textAt } from './read-call.ts';
import { toCacheKey } from './to-cache-key.ts';

const NEVER: AbortSignal = new AbortController().signal;

export async function runCall(
  call: GateCall,
  permit: Permit,
  port: CallPort,
  context: GateContext,
): Promise<Frame> {
  const { server, services } = context;
  const kept = findKept(call, permit, context);
  if (kept !== undefined) return kept;
  const { _meta } = call.frame.message.params ?? {};
  const { headers } = call.caller;
  const key = readCallerKey({ arguments: call.args, _meta, headers }, call.tool.slot);
  if (key.kind === 'refused') return refuseCall(call, permit, key.problem, context);
  if (!TIERS[call.effect.tier].readsOnly) services.cache.invalidateServer(server.name);
  let begun: Begun;
  try {
    begun = await beginCall(call, permit, key, context);
  } catch (error) {
    services.report(`${call.tool.name} could not be recorded before it ran`, error);
    const problem = toProblem('unavailable', 'The ledger cannot be reached. Nothing was run.');
    return refuseCall(call, permit, problem, context);
  }
  switch (begun.kind) {
    case 'refused':
      return refuseCall(call, permit, begun.problem, context);
    case 'standing':
      return answerStanding(call, permit, begun.standing, context);
    case 'begun': {
      const { bytes, added } = toSent(call, permit, key, begun);
      const mark = services.cache.mark(server.name);
      const run = await sendAll(call, begun, port, context, () => port.send(bytes, added));
      if (!TIERS[call.effect.tier].readsOnly) services.cache.invalidateServer(server.name);
      return endCall({ call, permit, begun, run, port, mark }, context);
    }
  }
}

/** Goes on with a plain look after its first sending, which has left no trace. */
export async function resumeRun(
  call: GateCall,
  permit: Permit,
  first: Delivery | undefined,
  port: CallPort,
  context: GateContext,
): Promise<Frame> {
  const begun: Begun = { kind: 'begun', draws: [] };
  const run = await sendAll(call, begun, port, context, (attempt) =>
    attempt === 1 && first !== undefined ? Promise.resolve(first) : port.send(call.frame.bytes),
  );
  return endCall({ call, permit, begun, run, port, mark: -1 }, context);
}

async function sendAll(
  call: GateCall,
  begun: Begun & { readonly kind: 'begun' },
  port: CallPort,
  { server, services }: GateContext,
  send: (attempt: number) => Promise<Delivery>,
): Promise<Run> {
  await using _lease = holdLease(begun.keyRecord, services);
  const { annotations } = call.tool.definition;
  return runWithRetries(send, {
    effect: call.effect,
    effectClass: begun.keyRecord?.held.effectClass,
    hasKey: begun.keyRecord !== undefined && call.tool.slot !== undefined,
    trusted: server.trusted,
    idempotentHint: toHint(annotations),
    policy: services.policy.retries,
    budget: server.retryBudget,
    breaker: server.breaker,
    sleep: services.sleep,
    random: services.random,
    // What may have had its effect is finished and recorded, whoever still waits.
    signal: begun.keyRecord === undefined ? port.signal : NEVER,
  });
}

function toHint(annotations: unknown): boolean | undefined {
  if (typeof annotations !== 'object' || annotations === null) return undefined;
  const hint: unknown = Object.entries(annotations).find(
    ([name]) => name === 'idempotentHint',
  )?.[1];
  return typeof hint === 'boolean' ? hint : undefined;
}

/** The bytes with the gate's own key, where the server takes one and the caller brought none. */
function toSent(
  call: GateCall,
  permit: Permit,
  key: CallerKey,
  { keyRecord }: Begun & { readonly kind: 'begun' },
): { readonly bytes: Uint8Array; readonly added?: Readonly<Record<string, string>> } {
  const bytes = permit.bytes ?? call.frame.bytes;
  const { slot } = call.tool;
  if (keyRecord === undefined || slot === undefined) return { bytes };
  const ours = key.kind === 'key' && slot.kind !== 'argument' ? key.key : keyRecord.held.partnerKey;
  if (slot.kind === 'header') return { bytes, added: { [slot.name]: ours } };
  return { bytes: insertKey(bytes, slot, ours) };
}

function answerStanding(
  call: GateCall,
  permit: Permit,
  standing: (Admission & { readonly kind: 'standing' })['standing'],
  context: GateContext,
): Promise<Frame> | Frame {
  if (standing.kind === 'replay') {
    const { result } = JSON.parse(standing.outcome) as { readonly result: never }; // ours
    return toReplayAnswer(call, result);
  }
  const problem: Problem = toStandingProblem(call, standing);
  return refuseCall(call, permit, problem, context);
}

function findKept(call: GateCall, permit: Permit, context: GateContext): Frame | undefined {
  if (permit.terms.cacheSeconds === 0) return undefined;
  const result = context.services.cache.find(toCacheKey(call, context));
  if (result === undefined) return undefined;
  const head = Buffer.from(`{"jsonrpc":"2.0","id":${textAt(call.frame, ['id'])},"result":`);
  const bytes = Buffer.concat([head, result, Buffer.from('}')]);
  return { bytes, message: { id: call.id }, about: call.id };
}
