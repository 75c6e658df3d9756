/** `plimsoll/gate`: the gate as a library, for clients and for those who build their own. */
export type { Approval, ApprovalState } from './approve/approval.ts';
export type { Answer } from './approve/approval-machine.ts';
export type { Answered, Approvals } from './approve/approvals.ts';
export { openApprovals } from './approve/approvals.ts';
export type { Card, Price } from './approve/card.ts';
export { cardToText } from './approve/to-text.ts';
export type { CallFacts } from './decide/call-facts.ts';
export { decide } from './decide/decide.ts';
export type { Policy } from './decide/policy.ts';
export type { PolicyFault } from './decide/policy-fault.ts';
export type { PolicyInit } from './decide/policy-init.ts';
export { readPolicy } from './decide/read-policy.ts';
export { DEFAULT_POLICY } from './decide/default-policy.ts';
export { toPolicy } from './decide/to-policy.ts';
export type { Asking, AskChannel, Budget, GrantScope, Verdict } from './decide/verdict.ts';
export type { GateTransportOptions } from './gate-transport.ts';
export { gateTransport } from './gate-transport.ts';
export { openLedger } from '../ledger/open-ledger.ts';
