/** Seventh stage: the place where one-time secrets are sealed. Passes every call on. */
import type { Stage } from './flow.ts';
import { go } from './flow.ts';

export const sealSecrets: Stage = (flow) => go(flow);
