/** `plimsoll/gate`: the gate as a library, for clients and for those who build their own. */
export type { Approval, ApprovalState } from './approvals/approval.ts';
export type { Answer } from './approvals/approval-machine.ts';
export type { Answered, Approvals } from './approvals/approvals.ts';
export { openApprovals } from './approvals/approvals.ts';
export type { Card, Price } from './approvals/card.ts';
export { cardToText } from './approvals/card-text.ts';
export type { CallFacts } from './policy/verdict.ts';
export { decide } from './policy/decide.ts';
export type { Policy } from './policy/policy.ts';
export type { PolicyFault } from './policy/policy.ts';
export type { PolicyInit } from './policy/to-policy.ts';
export { readPolicy } from './policy/read-policy.ts';
export { DEFAULT_POLICY } from './policy/policy.ts';
export { toPolicy } from './policy/to-policy.ts';
export type { Asking, AskChannel, Budget, GrantScope, Verdict } from './policy/verdict.ts';
export type { GateTransportOptions } from './gate-transport.ts';
export { gateTransport } from './gate-transport.ts';
export { openLedger } from '../ledger/open-ledger.ts';
