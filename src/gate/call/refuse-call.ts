/** Refuses a call that had permit to run but cannot, and leaves its receipt. */
import type { Standing } from '../../ledger/idempotency/key-record.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import type { GateCall, Permit } from './gate-call.ts';
import type { GateContext } from '../gate-services.ts';
import { toProblemAnswer } from './to-answer.ts';
import { toReceipt } from './to-receipt.ts';
import type { Frame } from '../protocol/frame.ts';

export async function refuseCall(
  call: GateCall,
  { rule }: Permit,
  problem: Problem,
  { server, services }: GateContext,
): Promise<Frame> {
  const end = { decision: 'refused', outcome: problem.code } as const;
  const receipt = toReceipt(call, server.name, rule, end, services.now());
  try {
    await services.ledger.record({ receipt, args: call.args });
  } catch (error) {
    // A refusal stands even where it cannot be recorded.
    services.report(`the receipt of ${call.tool.name} could not be kept`, error);
  }
  return toProblemAnswer(call, problem);
}

export function toStandingProblem(
  { tool: { name } }: GateCall,
  standing: Exclude<Standing, { kind: 'replay' }>,
): Problem {
  switch (standing.kind) {
    case 'key-reused':
      return toProblem('key-reused', `This key belongs to another call of ${name}.`);
    case 'in-flight': {
      const retryAfter = Math.max(1, Math.ceil(standing.retryAfterMs / 1000));
      return toProblem('in-flight', `${name} is under way with this key.`, { retryAfter });
    }
    case 'outcome-unknown':
      return toProblem('outcome-unknown', `An earlier ${name} with this key may have happened.`);
    case 'key-expired':
      return toProblem('key-expired', `The answer of ${name} with this key is no longer kept.`);
  }
}
