/**
 * Grants: a yes that covers more than one call. One for some minutes is bound to the definition and the
 * policy it was given under. A lasting one holds until the definition gets riskier or it was not used for
 * 30 days, while the policy in force offers such a yes.
 */
import { randomBytes } from 'node:crypto';
import type { Revoker } from '../../ledger/receipts/answer-receipt.ts';
import { appendRevocation } from '../../ledger/receipts/append-receipts.ts';
import type { Store, Tx } from '../../ledger/store.ts';
import type { GrantRow } from '../../ledger/tables.ts';
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import { classifyDrift } from '../tools/drift.ts';
import { hashText, hintsOf, toDefinition } from '../tools/tool-definition.ts';
import type { Answer } from './approval-machine.ts';
import type { Approval } from './approval.ts';
import type { Binding } from './binding.ts';
import { toBinding, toBoundDefinition } from './binding.ts';
import { certain } from './certain.ts';

/** What the definition in a binding is the digest of. */
export interface BoundTool {
  readonly definition: unknown;
  /** Where its server is. */
  readonly address: string;
}

export interface Grants {
  /**
   * The grant that covers this call, looked for in the caller's transaction. `tool` is given where a lasting yes
   * may count.
   */
  useGrant(tx: Tx, binding: Binding, tool?: BoundTool): Promise<GrantRow | undefined>;
  /** Tells whether there was one to revoke; the log has a record of it. */
  revokeGrant(id: string, by: Revoker): Promise<boolean>;
  /** Those that hold now, the newest first. */
  listGrants(filter?: { readonly tenant?: string }): Promise<readonly GrantRow[]>;
}

const MOST = 1000;
const MINUTE = 60_000;
const UNUSED_MS = 30 * 24 * 60 * MINUTE;

export function openGrants(store: Store): Grants {
  return {
    useGrant,
    revokeGrant: (id, by) => revoke(store, id, by),
    listGrants: (filter = {}) =>
      store.transaction(async (tx) =>
        tx.list('grants', {
          where: { ...filter, revoked_at: 0 },
          above: { column: 'expires_at', value: await tx.now() },
          orderBy: 'created_at',
          descending: true,
          limit: MOST,
        }),
      ),
  };
}

function revoke(store: Store, id: string, by: Revoker): Promise<boolean> {
  let revokedAt = -1;
  return certain(store, async (tx) => {
    const grant = await tx.find('grants', { id });
    // A commit of ours that did not say so.
    if (grant?.revoked_at === revokedAt) return true;
    if (grant?.revoked_at !== 0) return false;
    revokedAt = await tx.now();
    const set = { revoked_at: revokedAt };
    if (!(await tx.update('grants', { id, revoked_at: 0 }, set))) return undefined;
    await appendRevocation(tx, { ...grant, ...set }, by);
    return true;
  });
}

/** What it covers, as a part of a line. */
export function describeGrant({ scope, session, arguments: digest }: GrantRow): string {
  if (scope !== '') return 'from now on, longer with each use';
  if (digest !== '') return 'with the same arguments';
  return session === '' ? 'nothing' : 'in one session';
}

/** The row for an answer that covers more than the call, if it does. */
export function toGrant(approval: Approval, answer: Answer, now: number): GrantRow | undefined {
  const { kind, grant = 'call', approver, channel, grantMinutes } = answer;
  if (kind !== 'approve' || grant === 'call') return undefined;
  const { binding, card } = approval;
  const minutes = grantMinutes ?? card?.grantMinutes ?? 0;
  const forSession = grant === 'session';
  return {
    id: randomBytes(16).toString('hex'),
    tenant: binding.tenant,
    principal: binding.principal,
    session: forSession ? binding.session : '',
    server: binding.server,
    tool: binding.tool,
    definition: binding.definition,
    arguments: grant === 'arguments' ? binding.arguments : '',
    policy: binding.policy,
    mode: binding.mode,
    approver,
    channel,
    approval: approval.id,
    created_at: now,
    expires_at: Math.floor(now + (grant === 'lasting' ? UNUSED_MS : minutes * MINUTE)),
    revoked_at: 0,
    scope: grant === 'lasting' ? grant : '',
    accepted: '',
    used_at: 0,
  };
}

async function useGrant(tx: Tx, binding: Binding, tool?: BoundTool): Promise<GrantRow | undefined> {
  const { session, arguments: digest } = binding;
  const found =
    (await findGrant(tx, binding, { session: '', arguments: digest })) ??
    (await findGrant(tx, binding, { session, arguments: '' })) ??
    (tool === undefined ? undefined : await findLasting(tx, binding, tool));
  if (found === undefined) return undefined;
  const now = await tx.now();
  const extended = found.scope === '' ? {} : { expires_at: now + UNUSED_MS };
  await tx.update('grants', { id: found.id }, { used_at: now, ...extended });
  return found;
}

async function findLasting(
  tx: Tx,
  binding: Binding,
  tool: BoundTool,
): Promise<GrantRow | undefined> {
  const { tenant, principal, server, tool: name, mode, definition } = binding;
  // A call with several effects is covered by none: its session is left out of the binding.
  if (binding.session === '') return undefined;
  const rows = await tx.list('grants', {
    where: { tenant, principal, server, tool: name, mode, scope: 'lasting', revoked_at: 0 },
    above: { column: 'expires_at', value: await tx.now() },
    orderBy: 'expires_at',
    descending: true,
    limit: MOST,
  });
  for (const row of rows) {
    const asked = await tx.find('approvals', { id: row.approval, tier: binding.tier });
    if (asked === undefined) continue;
    const now = toDefinition(tool.definition).definition;
    if (row.definition === definition) {
      // The process that took the answer did not have the text.
      const accepted = toCanonicalJson(now);
      if (row.accepted === '') await tx.update('grants', { id: row.id }, { accepted });
      return row;
    }
    const hash = hashText(row.accepted);
    // Also for a server that has moved: what was accepted is another one's.
    if (toBoundDefinition(hash, tool.address) !== row.definition) continue;
    const pinned = { definition: hash, definitionText: row.accepted, hints: hintsOf(now) };
    if (classifyDrift(pinned, tool.definition).kind !== 'riskier') return row;
  }
  return undefined;
}

async function findGrant(
  tx: Tx,
  binding: Binding,
  scope: Pick<GrantRow, 'session' | 'arguments'>,
): Promise<GrantRow | undefined> {
  // A row with neither would cover everything; none is ever written.
  if (scope.session === '' && scope.arguments === '') return undefined;
  const { tenant, principal, server, tool, definition, policy, mode } = binding;
  const same = {
    tenant,
    principal,
    server,
    tool,
    definition,
    policy,
    mode,
    scope: '',
    revoked_at: 0,
  };
  const rows = await tx.list('grants', {
    where: { ...same, ...scope },
    above: { column: 'expires_at', value: await tx.now() },
    orderBy: 'expires_at',
    descending: true,
    limit: MOST,
  });
  for (const row of rows) {
    // Other arguments can make it another tier, and that is not what the yes was for.
    const asked = await tx.find('approvals', { id: row.approval, tier: binding.tier });
    if (asked !== undefined) return row;
  }
  return undefined;
}

/**
 * Lets a call go on that was dispatched under an approval and whose server has a question back: one
 * random number, good for one time.
 */
export interface Continuations {
  /** Opens one on a used approval; an earlier one no longer counts. */
  openContinuation(tx: Tx, id: string): Promise<string>;
  /** Tells whether it was the one, for the very call that was approved. */
  takeContinuation(tx: Tx, id: string, binding: Binding, continuation: string): Promise<boolean>;
}

export const continuations: Continuations = Object.freeze({
  async openContinuation(tx: Tx, id: string) {
    const continuation = randomBytes(16).toString('hex');
    const isOpen = await tx.update('approvals', { id, state: 'USED' }, { continuation });
    if (!isOpen) throw new TypeError('only a call whose approval is used goes on');
    return continuation;
  },
  async takeContinuation(tx: Tx, id: string, binding: Binding, continuation: string) {
    if (continuation === '') return false;
    const expect = { ...toBinding(binding), id, state: 'USED', continuation };
    return tx.update('approvals', expect, { continuation: '' });
  },
});
