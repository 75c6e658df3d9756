/** Fourth stage: the place where an idempotency key is claimed. Passes every call on. */
import type { Stage } from './flow.ts';
import { go } from './flow.ts';

export const claim: Stage = (flow) => go(flow);
