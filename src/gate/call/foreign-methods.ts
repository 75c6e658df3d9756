/**
 * Methods that are not of the protocol. Nobody can tell what one does, so in live mode it passes only where
 * the policy names it, and each leaves a receipt. What a lenient server might take for a tool call never
 * passes.
 */
import { foldCase } from '../../effect/narrow-effect.ts';
import type { Receipt } from '../../ledger/receipt.ts';
import { cutText } from '../../lib/cut-text.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import type { GateContext } from '../gate-services.ts';
import { compilePolicy } from '../policy/compile-policy.ts';
import { UNKNOWN_METHOD } from '../policy/default-rules.ts';
import type { Delivery } from '../protocol/channel.ts';
import type { Frame } from '../protocol/frame.ts';
import { readOutcome } from './read-outcome.ts';
import { toReceipt, toUnrecordable } from './refusals.ts';

/** Of all revisions; what a client may send. */
const KNOWN: ReadonlySet<string> = new Set([
  'completion/complete',
  'initialize',
  'logging/setLevel',
  'notifications/cancelled',
  'notifications/initialized',
  'notifications/progress',
  'notifications/roots/list_changed',
  'notifications/tasks/status',
  'ping',
  'prompts/get',
  'prompts/list',
  'resources/list',
  'resources/read',
  'resources/subscribe',
  'resources/templates/list',
  'resources/unsubscribe',
  'server/discover',
  'subscriptions/listen',
  'tasks/cancel',
  'tasks/get',
  'tasks/list',
  'tasks/result',
  'tasks/update',
  'tools/call',
  'tools/list',
]);

const LONGEST_NAME = 128;

export function isForeign(method: string): boolean {
  return !KNOWN.has(method);
}

/** Why it must not pass; or, where it may, what records how it ended. A notification has no end. */
export function admitForeign(
  frame: Frame,
  method: string,
  context: GateContext,
): Problem | ((delivery?: Delivery) => void) {
  const startedAt = context.services.now();
  const keep = (decision: Receipt['decision'], outcome: Receipt['outcome']): void =>
    record(frame, method, context, { decision, outcome, startedAt });
  const problem = judge(method, context);
  if (problem !== undefined) {
    keep('refused', problem.code);
    return problem;
  }
  return (delivery) => {
    if (delivery?.kind === 'answer') keep('ran', readOutcome(delivery.frame.message));
    else if (delivery === undefined || delivery.failure.kind === 'lost') keep('unknown', 'unknown');
    else keep('refused', 'unavailable');
  };
}

function judge(method: string, { server, services }: GateContext): Problem | undefined {
  if (isLookAlike(method)) {
    return toProblem('denied-by-policy', 'The method is spelled almost like tools/call.', {
      remedy: 'Nothing was run. Spell the method as tools/call.',
    });
  }
  if (services.recorder.isFull) return toUnrecordable();
  if (server.mode === 'sandbox' || compilePolicy(services.policy).passesMethod(method)) {
    return undefined;
  }
  const detail = 'The method is not part of the protocol, and the policy does not name it.';
  return toProblem('denied-by-policy', detail);
}

/** Whatever the case, and whatever stands between or around the letters. */
function isLookAlike(method: string): boolean {
  return foldCase(method).replaceAll(/[^\p{L}\p{N}]/gu, '') === 'toolscall';
}

interface End extends Pick<Receipt, 'decision' | 'outcome'> {
  readonly startedAt: number;
}

function record(
  { caller }: Frame,
  method: string,
  { server, services: { ledger, now, recorder } }: GateContext,
  { decision, outcome, startedAt }: End,
): void {
  const name = cutText(method, LONGEST_NAME);
  const receipt: Receipt = {
    ...toReceipt(name, caller, { rule: UNKNOWN_METHOD, outcome }, now()),
    decision,
    milliseconds: now() - startedAt,
    server: server.name,
    request: 'method',
  };
  const didNothing = decision === 'refused';
  void recorder.keep(name, async () => ledger.record({ receipt, args: {} }), { didNothing });
}
