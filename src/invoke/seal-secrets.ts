/**
 * Seventh stage: makes the copy of the answer that is stored for replay, without its one-time secrets.
 * A replay says that the secret was delivered, and never contains it.
 */
import { isInputRequiredResult } from '@modelcontextprotocol/server';
import { possibleEffects } from '../effect/effect.ts';
import type { Stage } from './flow.ts';
import { go } from './flow.ts';
import { isReply } from './validate-output.ts';

/** Replaces the secret. */
const DELIVERED = 'secret-already-delivered';

export const sealSecrets: Stage = (flow) => {
  const { operation, answer } = flow;
  if (flow.keyRecord === undefined || isInputRequiredResult(answer)) return go(flow);
  const secrets = possibleEffects(operation.effect).flatMap((effect) => effect.secrets);
  if (secrets.length === 0) return go({ ...flow, sealed: answer });
  // Content made by hand may hold the secret anywhere, so none of it is kept.
  const value = isReply(answer) ? answer.value : answer;
  return go({ ...flow, sealed: seal(value, secrets) });
};

function seal(value: unknown, secrets: readonly string[]): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const sealed: Record<string, unknown> = { ...value };
  for (const field of secrets) if (field in sealed) sealed[field] = DELIVERED;
  return sealed;
}
