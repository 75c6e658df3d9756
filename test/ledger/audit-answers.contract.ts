/** What people answered is part of the signed log, and an audit finds where the ledger says otherwise; run on every store. */
import type { OpenLedger } from 'plimsoll/server';
import { openLedger } from 'plimsoll/server';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Approval } from '../../src/gate/approvals/approval.ts';
import type { Approvals } from '../../src/gate/approvals/approvals.ts';
import { openApprovals } from '../../src/gate/approvals/approvals.ts';
import type { Receipt } from '../../src/ledger/receipt.ts';
import { verifyLedger } from '../../src/ledger/receipts/verify-ledger.ts';
import { toTestQuestion } from '../gate/approval-fixture.ts';
import { KEY, PUBLIC_KEY, receiptOf } from './audit-support.ts';

const MIA = { approver: 'mia', channel: 'terminal' } as const;

export function answersContract(name: string, newAddress: () => Promise<string>): void {
  let ledger: OpenLedger;
  let approvals: Approvals;
  let yes: Approval;
  let no: Approval;
  let wide: Approval;

  async function answer(text: string, more: object = {}): Promise<Approval> {
    const { id, display } = await approvals.request(toTestQuestion(text));
    const given = { kind: 'approve', approver: 'mia', channel: 'terminal', display } as const;
    const end = await approvals.answer(id, { ...given, ...more });
    if (end.kind === 'refused') throw new Error(end.detail);
    return end.approval;
  }

  async function tamper(...statements: readonly string[]): Promise<void> {
    await ledger.store.transaction(async (tx) => {
      for (const statement of statements) await tx.execute(statement);
    });
  }

  /** The receipt of the call that a yes was given for. */
  function toUse({ id, binding }: Approval, changes: Partial<Receipt> = {}): Receipt {
    const { tool: operation, server, principal, tenant } = binding;
    const permit = { permit: 'approval', approval: id, approver: 'mia' } as const;
    const at = new Date().toISOString();
    return receiptOf(3, { operation, server, principal, tenant, at, ...permit, ...changes });
  }

  async function findings(): Promise<readonly string[]> {
    const audit = await verifyLedger(ledger.store, { publicKey: PUBLIC_KEY });
    return audit.findings.map(({ code, message }) => `${code}: ${message}`);
  }

  describe(`answers on ${name}`, () => {
    beforeEach(async () => {
      ledger = await openLedger(await newAddress(), { key: KEY });
      approvals = openApprovals(ledger.store);
      yes = await answer('{"to":"a"}');
      no = await answer('{"to":"b"}', { kind: 'decline', reason: 'Too dear.' });
      wide = await answer('{"to":"c"}', { grant: 'arguments', channel: 'console' });
      await ledger.record({ receipt: toUse(yes), args: {} });
      await ledger.checkpoint();
    });

    afterEach(async () => {
      await ledger[Symbol.asyncDispose]();
    });

    it('are records of the log, which nothing is found in', async () => {
      const rows = await ledger.store.transaction((tx) =>
        tx.list('receipts', { orderBy: 'seq', limit: 10 }),
      );
      const records = rows.map(({ body }) => JSON.parse(body) as Receipt);
      expect(records).toMatchObject([
        {
          request: 'answer',
          approval: yes.id,
          approver: 'mia',
          via: 'terminal',
          answer: 'approve',
        },
        { request: 'answer', approval: no.id, approver: 'mia', answer: 'decline' },
        { request: 'answer', approval: wide.id, via: 'console', grant: expect.any(String) },
        { permit: 'approval', approval: yes.id },
      ]);
      expect(await findings()).toEqual([]);
    });

    it('stay what they were when a yes is used, expires or is withdrawn, and a grant is revoked', async () => {
      const used = await ledger.store.transaction((tx) =>
        approvals.consume(tx, yes.id, yes.binding, ''),
      );
      expect(used).toMatchObject({ kind: 'consumed' });
      await approvals.withdraw(wide.id, 'policy-reloaded');
      const [grant] = await approvals.listGrants();
      expect(await approvals.revokeGrant(grant?.id ?? '', MIA)).toBe(true);
      await approvals.request(toTestQuestion('{"to":"nobody yet"}'));
      const late = await approvals.request({
        ...toTestQuestion('{"to":"d"}'),
        expirySeconds: 0.001,
      });
      await expect.poll(() => approvals.sweep()).toBeGreaterThan(0);
      expect(await approvals.find(late.id)).toMatchObject({ state: 'EXPIRED' });
      expect(await findings()).toEqual([]);
    });

    it.each([
      ['another approver', `UPDATE approvals SET approver = 'eve' WHERE approver = 'mia'`],
      ['another channel', `UPDATE approvals SET channel = 'webhook'`],
      [
        'a no that became a yes',
        `UPDATE approvals SET state = 'APPROVED' WHERE state = 'DECLINED'`,
      ],
      [
        'a yes for other arguments',
        `UPDATE approvals SET arguments = 'x' WHERE state = 'APPROVED'`,
      ],
      [
        'an answer taken back',
        `UPDATE approvals SET state = 'PENDING', approver = '', channel = ''`,
      ],
      [
        'a yes that holds longer',
        `UPDATE approvals SET expires_at = expires_at + 1 WHERE state = 'APPROVED'`,
      ],
      ['deleted questions', 'DELETE FROM approvals'],
      ['deleted grants', 'DELETE FROM grants'],
      ['a grant that holds longer', 'UPDATE grants SET expires_at = expires_at + 1'],
      ['a grant for any arguments', `UPDATE grants SET session = 's1', arguments = ''`],
    ])('%s is found', async (_what, statement) => {
      await tamper(statement);
      const found = await findings();
      expect(found.length).toBeGreaterThan(0);
      for (const each of found) expect(each).toMatch(/^answer-mismatch: /);
    });

    it('a yes that nobody gave is found', async () => {
      const { id } = await approvals.request(toTestQuestion('{"to":"eve"}'));
      await tamper(
        `UPDATE approvals SET state = 'APPROVED', approver = 'mia', channel = 'console' WHERE id = '${id}'`,
      );
      expect(await findings()).toEqual([
        expect.stringContaining('an answer of mia that is not in the log'),
      ]);
    });

    it('a call that ran on no yes of the log is found', async () => {
      const permit = { permit: 'approval', approval: 'f'.repeat(32), approver: 'mia' } as const;
      await ledger.record({ receipt: receiptOf(6, permit), args: {} });
      const declined = { permit: 'approval', approval: no.id, approver: 'mia' } as const;
      await ledger.record({ receipt: receiptOf(9, declined), args: {} });
      expect(await findings()).toEqual([
        expect.stringContaining('Receipt 4 names a yes'),
        expect.stringContaining('Receipt 5 names a yes'),
      ]);
    });

    it.each([
      ['twice', {}, 'was used up by receipt 3'],
      ['for another tool', { operation: 'delete_all' }, 'is for another call: place_order at shop'],
      ['at another server', { server: 'bank' }, 'is for another call'],
      ['for another caller', { principal: 'eve' }, 'is for another call'],
      ['for another tenant', { tenant: 'other' }, 'is for another call'],
      ['long after', { at: '2999-01-01T00:00:00.000Z' }, 'was too old for it'],
    ])('a yes that was used %s is found', async (_how, changes, message) => {
      const again = await answer('{"to":"once more"}');
      const used = message.includes('used up') ? yes : again;
      await ledger.record({ receipt: toUse(used, changes), args: {} });
      expect(await findings()).toEqual([expect.stringContaining(message)]);
    });

    it('a call that was refused does not use its yes', async () => {
      const refused = toUse(yes, { decision: 'refused', outcome: 'approval-expired' });
      await ledger.record({ receipt: refused, args: {} });
      expect(await findings()).toEqual([]);
    });

    it('a revoked grant is a record of the log, and restoring its row is found', async () => {
      const [grant] = await approvals.listGrants();
      const id = grant?.id ?? '';
      expect(await approvals.revokeGrant(id, { approver: 'ann', channel: 'console' })).toBe(true);
      expect(await approvals.revokeGrant(id, MIA)).toBe(false);
      const rows = await ledger.store.transaction((tx) =>
        tx.list('receipts', { where: { approval: wide.id }, orderBy: 'seq', limit: 10 }),
      );
      const records = rows.map(({ body }) => JSON.parse(body) as Receipt);
      expect(records.slice(1)).toMatchObject([
        { request: 'revocation', grant: id, approver: 'ann', principal: 'ann', via: 'console' },
      ]);
      expect(await findings()).toEqual([]);
      await ledger.checkpoint();
      await tamper('UPDATE grants SET revoked_at = 0');
      expect(await findings()).toEqual([
        `answer-mismatch: Grant ${id} was revoked by ann, and no longer says so.`,
      ]);
      await tamper(`UPDATE grants SET revoked_at = ${Date.now() + 86_400_000}`);
      expect(await findings()).toEqual([
        expect.stringContaining(`Grant ${id} was revoked by ann, at another time`),
      ]);
    });

    it('a call that began after its grant was revoked is found, though the row was put right', async () => {
      const [grant] = await approvals.listGrants();
      const id = grant?.id ?? '';
      const onGrant = { permit: 'grant', approval: id } as const;
      const before = new Date(Date.now() - 1000).toISOString();
      await approvals.revokeGrant(id, MIA);
      await ledger.record({ receipt: toUse(wide, { ...onGrant, at: before }), args: {} });
      expect(await findings()).toEqual([]);
      const at = new Date(Date.now() + 3_600_000).toISOString();
      await ledger.record({ receipt: toUse(wide, { ...onGrant, at }), args: {} });
      expect(await findings()).toEqual([
        expect.stringContaining(`names a yes (grant ${id}) that had been revoked before`),
      ]);
    });

    it('an emptied log is found by the answers that it lacks', async () => {
      await tamper(
        'DELETE FROM receipt_log',
        'DELETE FROM receipt_index',
        'DELETE FROM checkpoints',
        'DELETE FROM counters',
      );
      expect((await findings()).length).toBeGreaterThanOrEqual(3);
    });
  });
}
