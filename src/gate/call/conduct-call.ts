/**
 * Conducts a call that needs more than a look at the policy: decides, asks where a person must be
 * asked, and runs it if it may. Every way out leaves a receipt.
 */
import { TIERS } from '../../effect/tier.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import { askPerson } from './ask-person.ts';
import { decide } from '../policy/decide.ts';
import type { Allow, Verdict } from '../policy/verdict.ts';
import { findRepeat } from './find-repeat.ts';
import type { CallPort, GateCall, Permit } from './gate-call.ts';
import type { GateContext } from '../gate-services.ts';
import { resumeRun, runCall } from './run-call.ts';
import type { Delivery } from '../protocol/channel.ts';
import { findMarkers } from './find-markers.ts';
import { toProblemAnswer, toReplayAnswer } from './to-answer.ts';
import { toFacts } from './read-call.ts';
import type { CallEnd } from './to-receipt.ts';
import { toReceipt } from './to-receipt.ts';
import type { SiblingTools } from './ask-price.ts';
import { askPrice, toMoney } from './ask-price.ts';
import type { Frame } from '../protocol/frame.ts';

export async function conductCall(
  call: GateCall,
  port: CallPort,
  context: GateContext,
  tools: SiblingTools,
): Promise<Frame> {
  const { server, services } = context;
  const marked = TIERS[call.effect.tier].readsOnly ? [] : findMarkers(call.args);
  if (marked.length > 0) {
    const errors = marked.map((pointer) => ({ pointer, detail: 'stands for a hidden secret' }));
    const problem = toProblem('redacted-argument', 'It would be written as if it were the value.', {
      errors,
    });
    return refuse(call, 'redacted-argument', problem, context);
  }
  const repeat = await findRepeat(call, context);
  if (repeat.kind === 'replay') {
    await record(call, 'duplicate-intent', { decision: 'replayed', outcome: 'success' }, context);
    return toReplayAnswer(call, repeat.result);
  }
  if (repeat.kind === 'open') return refuse(call, 'duplicate-intent', repeat.problem, context);
  const verdict = decide(services.policy, toFacts(call, server, repeat.kind === 'repeated'));
  return apply(verdict, call, port, context, tools);
}

/** Goes on with a plain look whose first sending failed, or that was not sent. */
export function resumeCall(
  call: GateCall,
  { rule, terms }: Allow,
  first: Delivery | undefined,
  port: CallPort,
  context: GateContext,
): Promise<Frame> {
  const permit: Permit = { rule, terms, by: { kind: 'policy' } };
  return resumeRun(call, permit, first, port, context);
}

async function apply(
  verdict: Verdict,
  call: GateCall,
  port: CallPort,
  context: GateContext,
  tools: SiblingTools,
): Promise<Frame> {
  switch (verdict.kind) {
    case 'allow': {
      const { rule, terms } = verdict;
      // Nobody is asked, but a budget of money must know what it is asked for.
      const counts = terms.budgets.some((budget) => budget.counts === 'money');
      const money = counts ? toMoney(await askPrice(call, port, tools)) : {};
      return runCall(call, { rule, terms, by: { kind: 'policy' }, ...money }, port, context);
    }
    case 'deny':
      return refuse(call, verdict.rule, toProblem(verdict.code, verdict.detail), context);
    case 'ask': {
      const asked = await askPerson(call, verdict, port, context, tools);
      if (asked.kind === 'permit') return runCall(call, asked.permit, port, context);
      const { approval, problem, answer } = asked;
      const outcome = problem?.code ?? 'input-required';
      const end: CallEnd = { decision: problem ? 'refused' : 'waiting', outcome, approval };
      await record(call, verdict.rule, end, context);
      return problem ? toProblemAnswer(call, problem) : answer;
    }
  }
}

async function refuse(
  call: GateCall,
  rule: string,
  problem: Problem,
  context: GateContext,
): Promise<Frame> {
  await record(call, rule, { decision: 'refused', outcome: problem.code }, context);
  return toProblemAnswer(call, problem);
}

/** A refusal stands even where it cannot be recorded. */
async function record(
  call: GateCall,
  rule: string,
  end: CallEnd,
  { server, services }: GateContext,
): Promise<void> {
  const receipt = toReceipt(call, server.name, rule, end, services.now());
  try {
    await services.ledger.record({ receipt, args: call.args });
  } catch (error) {
    services.report(`the receipt of ${call.tool.name} could not be kept`, error);
  }
}
