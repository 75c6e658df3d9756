/** That a person accepted or removed pins, as a record of the log. */
import { randomUUID } from 'node:crypto';
import type { Receipt } from '../receipt.ts';

export const PIN_OPERATION = 'pins.accept';

interface PinnedBy {
  readonly who: string;
  readonly server: string;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export function toPinReceipt({ who, server, at }: PinnedBy): Receipt {
  return Object.freeze({
    kind: 'receipt',
    id: randomUUID(),
    at: new Date(at).toISOString(),
    operation: PIN_OPERATION,
    act: 'set',
    tier: 'compute',
    reach: 'own-store',
    openWorld: false,
    via: 'console',
    principal: who,
    server,
    decision: 'ran',
    outcome: 'success',
    milliseconds: 0,
    request: 'pin',
  });
}
