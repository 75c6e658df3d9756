/**
 * The one path of every call, on every transport. No operation can leave out a stage, and every
 * way out goes through the record stage.
 */
import { isInputRequiredResult } from '@modelcontextprotocol/server';
import { authenticate } from './authenticate.ts';
import { authorize } from './authorize.ts';
import { claim } from './claim.ts';
import { execute } from './execute.ts';
import type { CallRequest, Flow, Services, Stage } from './flow.ts';
import type { Outcome, Recorded } from './outcome.ts';
import { record } from './record.ts';
import { sealSecrets } from './seal-secrets.ts';
import { validateInput } from './validate-input.ts';
import { isReply, validateOutput } from './validate-output.ts';

const STAGES: readonly Stage[] = [
  authenticate,
  authorize,
  validateInput,
  claim,
  execute,
  validateOutput,
  sealSecrets,
];

export async function invoke(request: CallRequest, services: Services): Promise<Recorded> {
  const startedAt = services.now();
  let flow: Flow = request;
  for (const stage of STAGES) {
    const step = await stage(flow, services);
    if (step.kind === 'stop') return record(flow, step.outcome, startedAt, services);
    flow = step.flow;
  }
  return record(flow, toOutcome(flow.answer), startedAt, services);
}

function toOutcome(answer: unknown): Outcome {
  if (isInputRequiredResult(answer)) return { kind: 'input-required', result: answer };
  if (isReply(answer)) return { ...answer, kind: 'success' };
  return { kind: 'success', value: answer };
}
