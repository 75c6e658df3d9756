/** The receipt of a call at the gate. */
import { staysInside } from '../../effect/effect.ts';
import type { Receipt } from '../../ledger/receipt.ts';
import { newId } from '../../lib/new-id.ts';
import type { GateCall } from './gate-call.ts';

export type CallEnd = Pick<Receipt, 'decision' | 'outcome'> &
  Partial<Pick<Receipt, 'keyRecord' | 'approval' | 'attempts' | 'principal' | 'via'>>;

export function toReceipt(
  { caller, tool, effect, startedAt }: GateCall,
  server: string,
  rule: string,
  end: CallEnd,
  now: number,
): Receipt {
  const { principal } = caller;
  return {
    kind: 'receipt',
    id: newId(now),
    at: new Date(now).toISOString(),
    operation: tool.name,
    act: effect.act,
    tier: effect.tier,
    reach: effect.reach,
    openWorld: !staysInside(effect.reach),
    via: caller.via,
    principal: principal.id,
    ...(principal.tenant !== undefined && { tenant: principal.tenant }),
    milliseconds: now - startedAt,
    server,
    rule,
    ...end,
  };
}
