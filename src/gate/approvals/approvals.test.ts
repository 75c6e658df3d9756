import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ARGUMENTS, toTestAnswer, toTestQuestion } from '../../../test/gate/approval-fixture.ts';
import type { Fate } from '../../../test/support/commit-faults.ts';
import { withCommitFaults } from '../../../test/support/commit-faults.ts';
import { openSqliteStore } from '../../ledger/sqlite/open-sqlite-store.ts';
import type { Store } from '../../ledger/store.ts';
import { CommitUnknownError } from '../../ledger/store.ts';
import type { Answer } from './approval-machine.ts';
import type { Approval, Question } from './approval.ts';
import type { Approvals } from './approvals.ts';
import { openApprovals } from './approvals.ts';
import type { Binding } from './binding.ts';
import { toBoundDefinition } from './binding.ts';
import { hashDefinition } from '../tools/tool-definition.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const question = toTestQuestion();
const { binding } = question;
const PERSON = { approver: 'mia', channel: 'console' } as const;
let store: Store;
let approvals: Approvals;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_800_000_000_000 });
  store = await openSqliteStore(':memory:');
  approvals = openApprovals(store);
});

afterEach(async () => {
  vi.useRealTimers();
  await store[Symbol.asyncDispose]();
});

function pass(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

async function approve(
  asked: Question = question,
  changes: Partial<Answer> = {},
): Promise<Approval> {
  const { id, display } = await approvals.request(asked);
  const end = await approvals.answer(id, toTestAnswer(display, changes));
  if (end.kind === 'refused') throw new Error(end.code);
  return end.approval;
}

async function consume(id: string, used: Binding = binding): Promise<string> {
  const end = await store.transaction((tx) => approvals.consume(tx, id, used, 'claim1'));
  return end.kind === 'refused' ? end.code : end.kind;
}

function useGrant(used: Binding) {
  return store.transaction((tx) => approvals.useGrant(tx, used));
}

describe('asking', () => {
  it('makes a question with an id that nobody can guess', async () => {
    const approval = await approvals.request(question);
    expect(approval).toMatchObject({ state: 'PENDING', binding, card: question.card });
    expect(approval.id).toMatch(/^[\da-f]{32}$/);
    expect(await approvals.find(approval.id)).toEqual(approval);
    expect(await approvals.listPending()).toEqual([approval]);
    expect(await approvals.listPending({ tenant: 'acme' })).toHaveLength(1);
    expect(await approvals.listPending({ tenant: 'other' })).toEqual([]);
  });

  it('gives the same question to a call that is made again, and then its answer', async () => {
    const first = await approvals.request(question);
    expect((await approvals.request(question)).id).toBe(first.id);
    const { id } = await approve();
    expect(id).toBe(first.id);
    expect(await approvals.request(question)).toMatchObject({ id, state: 'APPROVED' });
    expect(await approvals.findApproved(binding)).toMatchObject({ id });
  });

  it.each([
    ['session', { session: 's2' }],
    ['caller', { principal: 'other' }],
    ['server', { server: 'shop2' }],
  ])('is another question for another %s', async (_, changes) => {
    const first = await approve();
    const other = await approvals.request(toTestQuestion(ARGUMENTS, changes));
    expect(other).toMatchObject({ state: 'PENDING' });
    expect(other.id).not.toBe(first.id);
  });

  it('asks anew once the yes was used, or was a no', async () => {
    const { id } = await approve();
    await consume(id);
    const second = await approvals.request(question);
    expect(second.id).not.toBe(id);
    await approvals.answer(second.id, toTestAnswer(second.display, { kind: 'decline' }));
    const third = await approvals.request(question);
    expect(third).toMatchObject({ state: 'PENDING' });
    expect(third.id).not.toBe(second.id);
  });

  it('asks anew at another price, and the earlier yes ends', async () => {
    const { id } = await approve();
    const price = { amount: '500.00', unit: 'EUR', from: 'estimate_order' };
    const dearer = await approvals.request(toTestQuestion(ARGUMENTS, { price }));
    expect(dearer).toMatchObject({ state: 'PENDING', card: { price } });
    expect(await approvals.findApproved(binding)).toBeUndefined();
    expect(await consume(id)).toBe('withdrawn');
    expect(await approvals.find(id)).toMatchObject({
      state: 'WITHDRAWN',
      reason: 'price-changed',
    });
  });

  it('asks once when many ask at once', async () => {
    const asked = await Promise.all(Array.from({ length: 50 }, () => approvals.request(question)));
    expect(new Set(asked.map(({ id }) => id)).size).toBe(1);
  });

  it('refuses a card that shows another call', () => {
    const { card } = toTestQuestion('{"to":"alice","amount":1}');
    expect(() => approvals.request({ ...question, card })).toThrow(TypeError);
    for (const expirySeconds of [Number.NaN, 0, -1]) {
      expect(() => approvals.request({ ...question, expirySeconds })).toThrow(TypeError);
    }
  });

  it('never waits for more than 15 minutes', async () => {
    const { createdAt, expiresAt } = await approvals.request({ ...question, expirySeconds: 1e9 });
    expect(expiresAt - createdAt).toBe(15 * MINUTE);
  });
});

describe('answering', () => {
  it('keeps who said yes, how and when', async () => {
    pass(1000);
    expect(await approve()).toMatchObject({
      state: 'APPROVED',
      approver: 'mia',
      channel: 'terminal',
      decidedAt: Date.now(),
    });
  });

  it('happens once, and a yes cannot be made of a no', async () => {
    const { id, display } = await approvals.request(question);
    const answers = (['decline', 'approve', 'approve'] as const).map((kind) =>
      approvals.answer(id, toTestAnswer(display, { kind })),
    );
    const ends = await Promise.all(answers);
    expect(ends.map(({ kind }) => kind)).toEqual(['decided', 'refused', 'refused']);
    expect(await approvals.find(id)).toMatchObject({ state: 'DECLINED' });
    expect(await approvals.find(id)).not.toHaveProperty('card');
    expect(await consume(id)).toBe('declined');
  });

  it('is refused for what nobody asked', async () => {
    const end = await approvals.answer('0'.repeat(32), toTestAnswer('d'));
    expect(end).toMatchObject({ kind: 'refused', code: 'not-found' });
  });

  it('is refused too late, by the clock of the store', async () => {
    const { id, display } = await approvals.request(question);
    pass(10 * MINUTE);
    const end = await approvals.answer(id, toTestAnswer(display));
    expect(end).toMatchObject({ kind: 'refused', code: 'expired' });
    expect(await approvals.listPending()).toEqual([]);
  });

  it('is refused to the caller where that is the rule', async () => {
    const strict = openApprovals(store, { refuseSelf: true });
    const { id, display } = await strict.request(question);
    const end = await strict.answer(id, toTestAnswer(display, { approver: 'agent' }));
    expect(end).toMatchObject({ kind: 'refused', code: 'self-approval' });
  });

  it.each(['approve', 'decline'] as const)('counts only by its channels: %s', async (kind) => {
    const asked = toTestQuestion(ARGUMENTS, { channels: ['console', 'webhook'] });
    const { id, display } = await approvals.request(asked);
    for (const channel of ['elicitation', 'terminal'] as const) {
      const end = await approvals.answer(id, toTestAnswer(display, { kind, channel }));
      expect(end).toMatchObject({
        kind: 'refused',
        code: 'wrong-channel',
        detail: 'It can only be answered in the console or by webhook.',
      });
    }
    const end = await approvals.answer(id, toTestAnswer(display, { kind, channel: 'console' }));
    expect(end.kind).toBe('decided');
  });

  it('is taken from the caller where no rule refuses it', async () => {
    expect(await approve(question, { approver: 'agent' })).toMatchObject({ approver: 'agent' });
  });

  it('wants a name', async () => {
    const { id, display } = await approvals.request(question);
    const end = approvals.answer(id, toTestAnswer(display, { approver: '' }));
    await expect(end).rejects.toThrow(TypeError);
  });
});

describe('asking without end', () => {
  it('is stopped for each caller, whose open questions can still be found', async () => {
    const bounded = openApprovals(store, { mostOpen: 2 });
    const { id } = await bounded.request(toTestQuestion('{"n":1}'));
    await bounded.request(toTestQuestion('{"n":2}'));
    await expect(bounded.request(toTestQuestion('{"n":3}'))).rejects.toThrow('2 calls');
    expect((await bounded.request(toTestQuestion('{"n":1}'))).id).toBe(id);
    const other = await bounded.request(toTestQuestion('{"n":3}', { principal: 'other' }));
    expect(other.state).toBe('PENDING');
    await bounded.withdraw(id, 'cancelled');
    expect((await bounded.request(toTestQuestion('{"n":3}'))).state).toBe('PENDING');
    pass(15 * MINUTE);
    expect((await bounded.request(toTestQuestion('{"n":4}'))).state).toBe('PENDING');
  });
});

describe('using a yes', () => {
  it('happens once, and keeps for what', async () => {
    const { id } = await approve();
    expect(await consume(id)).toBe('consumed');
    expect(await consume(id)).toBe('already-used');
    expect(await approvals.find(id)).toMatchObject({ state: 'USED', keyRecord: 'claim1' });
    expect(await approvals.find(id)).not.toHaveProperty('card');
  });

  it('is undone with the transaction it is part of', async () => {
    const { id } = await approve();
    const failing = store.transaction(async (tx) => {
      await approvals.consume(tx, id, binding, 'claim1');
      throw new Error('the dispatch was not recorded');
    });
    await expect(failing).rejects.toThrow('not recorded');
    expect(await consume(id)).toBe('consumed');
  });

  it('is refused too late, also after a yes in time', async () => {
    const { id } = await approve();
    pass(10 * MINUTE);
    expect(await approvals.findApproved(binding)).toBeUndefined();
    expect(await consume(id)).toBe('expired');
  });

  it('is refused for what is not there', async () => {
    expect(await consume('0'.repeat(32))).toBe('not-found');
  });
});

describe('going on after a question of the server', () => {
  const take = (id: string, used: Binding, continuation: string) =>
    store.transaction((tx) => approvals.takeContinuation(tx, id, used, continuation));
  const open = (id: string) => store.transaction((tx) => approvals.openContinuation(tx, id));

  it('needs the last number that was given out, for the same call, once', async () => {
    const { id } = await approve();
    await consume(id);
    const old = await open(id);
    const continuation = await open(id);
    expect(continuation).toMatch(/^[\da-f]{32}$/);
    expect(await take(id, binding, old)).toBe(false);
    expect(await take(id, { ...binding, session: 's2' }, continuation)).toBe(false);
    expect(await take(id, binding, continuation)).toBe(true);
    expect(await take(id, binding, continuation)).toBe(false);
    expect(await take(id, binding, '')).toBe(false);
  });

  it('is not for a yes that is unused', async () => {
    const { id } = await approve();
    await expect(open(id)).rejects.toThrow(TypeError);
    expect(await take(id, binding, '')).toBe(false);
  });
});

describe('a grant', () => {
  const others = toTestQuestion('{"to":"bob","amount":1}').binding;

  it('for the arguments covers them in any session, for its time', async () => {
    const { id } = await approve(question, { grant: 'arguments', grantMinutes: 5 });
    expect(await useGrant(binding)).toMatchObject({ approval: id, approver: 'mia' });
    expect(await useGrant({ ...binding, session: 's2' })).toBeDefined();
    expect(await useGrant(others)).toBeUndefined();
    pass(5 * MINUTE - 1);
    expect(await useGrant(binding)).toBeDefined();
    pass(1);
    expect(await useGrant(binding)).toBeUndefined();
    expect(await approvals.listGrants()).toEqual([]);
  });

  it('for the session covers the tool with any arguments, in it alone', async () => {
    await approve(question, { grant: 'session' });
    expect(await useGrant(others)).toBeDefined();
    expect(await useGrant({ ...others, session: 's2' })).toBeUndefined();
    expect(await useGrant({ ...others, session: '' })).toBeUndefined();
  });

  it('is not made by a yes to the call alone, nor by a no', async () => {
    await approve();
    const { id, display } = await approvals.request(toTestQuestion('{}'));
    await approvals.answer(id, toTestAnswer(display, { kind: 'decline', grant: 'session' }));
    expect(await approvals.listGrants()).toEqual([]);
  });

  it.each([
    { tenant: 'other' },
    { principal: 'other' },
    { server: 'shop2' },
    { tool: 'cancel_order' },
    { definition: 'e'.repeat(64) },
    { policy: 'p2' },
    { mode: 'sandbox' },
    { tier: 'destructive' },
  ] satisfies Partial<Binding>[])('does not cover %j', async (changes) => {
    await approve(question, { grant: 'session' });
    expect(await useGrant({ ...binding, ...changes })).toBeUndefined();
  });

  it('that names neither a session nor arguments covers nothing', async () => {
    await approve(question, { grant: 'arguments' });
    const [grant] = await approvals.listGrants();
    await store.transaction((tx) =>
      tx.update('grants', { id: grant?.id ?? '' }, { arguments: '', session: '' }),
    );
    expect(await useGrant({ ...binding, session: '' })).toBeUndefined();
  });

  describe('that lasts', () => {
    const TOOL = {
      name: 'place_order',
      description: 'Adds an order to the list.',
      inputSchema: { type: 'object', properties: { to: { type: 'string' } } },
    };
    const asked: Question = {
      ...toTestQuestion(undefined, { scopes: ['call', 'lasting'] }),
      binding: { ...binding, definition: hashDefinition(TOOL) },
    };
    const use = (changes: Partial<Binding> = {}, tool: unknown = TOOL, address = '') =>
      store.transaction((tx) =>
        approvals.useGrant(tx, { ...asked.binding, ...changes }, { definition: tool, address }),
      );

    it('covers the tool in every session and with any arguments, whatever policy came after', async () => {
      const { id } = await approve(asked, { grant: 'lasting' });
      const changes = { session: 's9', arguments: others.arguments, policy: 'p2' };
      expect(await use(changes)).toMatchObject({ approval: id, scope: 'lasting' });
      expect(await use({ tier: 'destructive' })).toBeUndefined();
      expect(await use({ principal: 'other' })).toBeUndefined();
      expect(await use({ mode: 'sandbox' })).toBeUndefined();
    });

    it('counts only where it is offered, and not for a call with several effects', async () => {
      await approve(asked, { grant: 'lasting' });
      expect(await useGrant(asked.binding)).toBeUndefined();
      expect(await use({ session: '' })).toBeUndefined();
    });

    it('lapses when it is not used for 30 days; each use counts anew', async () => {
      await approve(asked, { grant: 'lasting' });
      pass(30 * DAY - 1);
      expect(await use()).toBeDefined();
      pass(30 * DAY - 1);
      expect(await use()).toBeDefined();
      pass(30 * DAY);
      expect(await use()).toBeUndefined();
      expect(await approvals.listGrants()).toEqual([]);
    });

    it('survives a change of the definition that is no riskier, and no other', async () => {
      await approve(asked, { grant: 'lasting' });
      const safer = { ...TOOL, annotations: { destructiveHint: false } };
      const riskier = { ...TOOL, description: 'Adds an order, and deletes all others for good.' };
      // Nobody has seen yet what was accepted.
      expect(await use({ definition: hashDefinition(safer) }, safer)).toBeUndefined();
      expect(await use()).toBeDefined();
      expect(await use({ definition: hashDefinition(safer) }, safer)).toBeDefined();
      expect(await use({ definition: hashDefinition(riskier) }, riskier)).toBeUndefined();
      // The same words at another address are another server's.
      const moved = {
        definition: toBoundDefinition(hashDefinition(safer), 'https://evil.example'),
      };
      expect(await use(moved, safer, 'https://evil.example')).toBeUndefined();
    });

    it('is not made where the card does not offer it', async () => {
      const { id, display } = await approvals.request(question);
      const answer = toTestAnswer(display, { grant: 'lasting' });
      expect(await approvals.answer(id, answer)).toMatchObject({ code: 'scope-too-wide' });
    });
  });

  it('ends when it is revoked', async () => {
    await approve(question, { grant: 'session' });
    const [grant] = await approvals.listGrants({ tenant: 'acme' });
    expect(await approvals.listGrants({ tenant: 'other' })).toEqual([]);
    expect(await approvals.revokeGrant(grant?.id ?? '', PERSON)).toBe(true);
    expect(await approvals.revokeGrant(grant?.id ?? '', PERSON)).toBe(false);
    expect(await useGrant(binding)).toBeUndefined();
    expect(await approvals.listGrants()).toEqual([]);
  });

  it('is never wider than was offered', async () => {
    const { id, display } = await approvals.request(
      toTestQuestion(ARGUMENTS, { scopes: ['call'] }),
    );
    const end = await approvals.answer(id, toTestAnswer(display, { grant: 'session' }));
    expect(end).toMatchObject({ kind: 'refused', code: 'scope-too-wide' });
    expect(await approvals.listGrants()).toEqual([]);
    expect(await approvals.find(id)).toMatchObject({ state: 'PENDING' });
  });
});

describe('sweeping', () => {
  it('ends what is too old, empties its card, and leaves the rest', async () => {
    const pending = await approvals.request(question);
    const approved = await approve(toTestQuestion('{"n":1}'));
    const used = await approve(toTestQuestion('{"n":2}'));
    await consume(used.id, toTestQuestion('{"n":2}').binding);
    pass(9 * MINUTE);
    const young = await approvals.request(toTestQuestion('{"n":3}'));
    expect(await approvals.sweep()).toBe(0);
    pass(MINUTE);
    expect(await approvals.sweep()).toBe(2);
    for (const { id } of [pending, approved]) {
      expect(await approvals.find(id)).toMatchObject({ state: 'EXPIRED' });
      expect(await approvals.find(id)).not.toHaveProperty('card');
    }
    expect(await approvals.find(used.id)).toMatchObject({ state: 'USED' });
    expect(await approvals.find(young.id)).toEqual(young);
  });
});

describe('commits that do not say whether they happened', () => {
  it.each(['committed', 'lost'] as const)('are seen through when they were %s', async (fate) => {
    const fates: Fate[] = [];
    const shaky = openApprovals(withCommitFaults(store, () => fates.pop() ?? 'fine'));
    fates.push(fate);
    const { id, display } = await shaky.request(question);
    expect(await approvals.listPending()).toHaveLength(1);
    fates.push(fate);
    const end = await shaky.answer(id, toTestAnswer(display, { grant: 'session' }));
    expect(end).toMatchObject({ kind: 'decided', approval: { id, state: 'APPROVED' } });
    expect(await approvals.listGrants()).toHaveLength(1);
  });

  it.each(['committed', 'lost'] as const)('withdraw once, when they were %s', async (fate) => {
    const fates: Fate[] = [];
    const shaky = openApprovals(withCommitFaults(store, () => fates.pop() ?? 'fine'));
    const { id } = await shaky.request(question);
    fates.push(fate);
    const withdrawn = { id, state: 'WITHDRAWN', reason: 'cancelled' };
    expect(await shaky.withdraw(id, 'cancelled')).toMatchObject(withdrawn);
    expect(await shaky.withdraw(id, 'gate-stopped')).toBeUndefined();
    expect(await shaky.withdraw('0'.repeat(32), 'cancelled')).toBeUndefined();
    expect(await approvals.find(id)).toMatchObject(withdrawn);
  });

  it.each(['committed', 'lost'] as const)('revoke once, when they were %s', async (fate) => {
    await approve(question, { grant: 'session' });
    const [grant] = await approvals.listGrants();
    const fates: Fate[] = [fate];
    const shaky = openApprovals(withCommitFaults(store, () => fates.pop() ?? 'fine'));
    expect(await shaky.revokeGrant(grant?.id ?? '', PERSON)).toBe(true);
    expect(await shaky.revokeGrant(grant?.id ?? '', PERSON)).toBe(false);
    expect(await shaky.revokeGrant('0'.repeat(32), PERSON)).toBe(false);
    const records = await store.transaction((tx) =>
      tx.list('receipts', { where: { operation: 'grants.revoke' }, orderBy: 'seq', limit: 10 }),
    );
    expect(records).toMatchObject([{ approval: grant?.approval, principal: 'mia' }]);
  });

  it.each([{ approver: 'ann' }, { channel: 'console' }] as const)(
    'are not taken for ours when somebody else (%j) was first, at the same moment',
    async (other) => {
      const { id, display } = await approvals.request(question);
      const losing = withCommitFaults(store, () => 'lost');
      let isFirst = true;
      const racing = openApprovals({
        ...store,
        kind: 'sqlite',
        transaction: async (work) => {
          if (!isFirst) return store.transaction(work);
          isFirst = false;
          const lost = await losing.transaction(work).catch((error: unknown) => error);
          await approvals.answer(id, toTestAnswer(display, { kind: 'decline', ...other }));
          throw lost;
        },
      });
      const end = await racing.answer(id, toTestAnswer(display));
      expect(end).toMatchObject({ kind: 'refused', code: 'already-decided' });
      expect(await approvals.find(id)).toMatchObject({ state: 'DECLINED', ...other });
    },
  );

  it('are given up after ten tries, and said to be unknown', async () => {
    let tries = 0;
    const shaky = openApprovals(withCommitFaults(store, () => ((tries += 1), 'lost')));
    await expect(shaky.find('0'.repeat(32))).rejects.toThrow(CommitUnknownError);
    await expect(shaky.find('0'.repeat(32))).rejects.toThrow('what became of an approval');
    expect(tries).toBe(20);
  });

  it('are not what other failures are taken for', async () => {
    let tries = 0;
    const broken = openApprovals({
      ...store,
      kind: 'sqlite',
      transaction: () => Promise.reject(new Error(`broken ${(tries += 1)}`)),
    });
    await expect(broken.find('0'.repeat(32))).rejects.toThrow('broken 1');
  });
});

describe('finding', () => {
  it('by the start of an id gives open questions first, then the newest', async () => {
    const done = await approve();
    pass(1000);
    const open = await approvals.request(toTestQuestion('{"to":"bob"}'));
    const starts = await approvals.findByPrefix(open.id.slice(0, 8));
    expect(starts.map(({ id }) => id)).toEqual([open.id]);
    await store.transaction(async (tx) => {
      await tx.update('approvals', { id: done.id }, { id: 'ab1' });
      await tx.update('approvals', { id: open.id }, { id: 'ab2' });
    });
    const both = async (): Promise<readonly string[]> =>
      (await approvals.findByPrefix('ab')).map(({ id }) => id);
    expect(await both()).toEqual(['ab2', 'ab1']);
    await store.transaction((tx) =>
      tx.update('approvals', { id: 'ab1' }, { state: 'PENDING', created_at: 0 }),
    );
    await approvals.withdraw('ab2', 'cancelled');
    expect(await both()).toEqual(['ab1', 'ab2']);
    expect(await approvals.findByPrefix('abc')).toEqual([]);
  });

  it.each(['', '%', 'a%', '%a', '_', 'AB', 'xyz'])('finds nothing by %j', async (prefix) => {
    const { id } = await approvals.request(question);
    await store.transaction((tx) => tx.update('approvals', { id }, { id: 'ab1' }));
    expect(await approvals.findByPrefix(prefix)).toEqual([]);
  });

  it('gives the no to an equal call, and no other', async () => {
    const { id, display } = await approvals.request(question);
    expect(await approvals.findDeclined(binding)).toBeUndefined();
    await approvals.answer(id, toTestAnswer(display, { kind: 'decline' }));
    expect(await approvals.findDeclined(binding)).toMatchObject({ id, state: 'DECLINED' });
    expect(await approvals.findDeclined({ ...binding, session: 's2' })).toBeUndefined();
  });
});
