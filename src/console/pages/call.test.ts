import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestConsole } from '../../../test/console/calls-fixture.ts';
import {
  callReceipt,
  keepCalls,
  NOON,
  openTestConsole,
  textOf,
} from '../../../test/console/calls-fixture.ts';
import { toTestAnswer, toTestQuestion } from '../../../test/gate/approval-fixture.ts';
import { keyRecordRow } from '../../../test/contract/store.contract.ts';
import { indexReceipts } from '../../ledger/receipts/index-receipts.ts';
import { registerCall } from './call.ts';

let pages: TestConsole;

beforeEach(async () => {
  pages = await openTestConsole([registerCall]);
});

afterEach(async () => {
  await pages.services.ledger[Symbol.asyncDispose]();
});

/** Text without tags and line breaks, to find what a reader would. */
function wordsOf(text: string): string {
  return text.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
}

async function approve(grant: 'call' | 'session' = 'call') {
  const { approvals } = pages.services;
  const question = toTestQuestion();
  const { id, display } = await approvals.request(question);
  const end = await approvals.answer(id, { ...toTestAnswer(display), grant });
  if (end.kind === 'refused') throw new Error(end.code);
  return { ...end.approval, question };
}

describe('the story of a call', () => {
  it('goes from the question over the yes and the sending to the receipt', async () => {
    const { ledger, approvals } = pages.services;
    const { id, approver, channel, question } = await approve();
    await ledger.store.transaction(async (tx) => {
      await approvals.consume(tx, id, question.binding, 'keyRecord-1');
      const now = Date.now();
      const times = { created_at: now, updated_at: now + 2, dispatched_at: now + 1 };
      await tx.insert(
        'key_records',
        keyRecordRow({ id: 'keyRecord-1', state: 'SUCCEEDED', ...times }),
      );
    });
    const later = new Date(Date.now() + 1000).toISOString();
    const earlier = new Date(Date.now() - 60_000).toISOString();
    const spend = { tier: 'external_spend', act: 'spend', operation: 'place_order' } as const;
    const [asked, ran] = [
      callReceipt({
        ...spend,
        at: earlier,
        decision: 'waiting',
        outcome: 'input-required',
        approval: id,
      }),
      callReceipt({ ...spend, at: later, approval: id, keyRecord: 'keyRecord-1' }),
    ];
    await keepCalls(ledger, [asked, ran, callReceipt()]);
    const text = await textOf(pages.app, `/calls/${ran.id}`);
    const words = wordsOf(text);
    const order = [
      'place_order: waiting for a person',
      'A person was asked',
      `${approver} approved it`,
      'The approval was used, once',
      'The intent was made durable, then sent',
      'The answer is stored',
      'place_order: ran',
    ].map((step) => words.indexOf(step));
    expect(order.every((at) => at >= 0)).toBe(true);
    expect(order).toEqual(order.toSorted((a, b) => a - b));
    expect(words).toContain(`By ${channel}`);
    expect(words).toContain('ran by the rule reads run');
    expect(words).toContain('success after 4 ms');
    expect(text).toContain(`href="/calls/${asked.id}"`);
  });

  it('says that the question was withdrawn and why, and that nobody answered', async () => {
    const { ledger, approvals } = pages.services;
    const { id } = await approvals.request(toTestQuestion());
    await approvals.withdraw(id, 'cancelled');
    const receipt = callReceipt({ decision: 'cancelled', approval: id });
    await keepCalls(ledger, [receipt]);
    const words = wordsOf(await textOf(pages.app, `/calls/${receipt.id}`));
    expect(words).toContain('The question was withdrawn: the caller cancelled the call');
    expect(words).not.toContain('approved it');
    expect(words).not.toContain('declined it');
  });

  it('names the wider yes that a call ran on, and the question behind it', async () => {
    const { ledger } = pages.services;
    const { id } = await approve('session');
    const [grant] = await ledger.store.transaction((tx) =>
      tx.list('grants', { where: { approval: id }, orderBy: 'created_at', limit: 1 }),
    );
    const receipt = callReceipt({ approval: grant?.id ?? '' });
    await keepCalls(ledger, [receipt]);
    const words = wordsOf(await textOf(pages.app, `/calls/${receipt.id}`));
    expect(words).toContain('approved more than one call');
    expect(words).toContain('covers any arguments, in this session');
    expect(words).toContain('A person was asked');
  });

  it('shows what was found out about a call in doubt, by whom', async () => {
    const { ledger } = pages.services;
    const found = { kind: 'resolved-by-hand', as: 'executed', reason: '<i>ch_1\u202E', by: 'noa' };
    const evidence = JSON.stringify([{ ...found, at: new Date(NOON).toISOString() }]);
    await ledger.store.transaction((tx) =>
      tx.insert('key_records', keyRecordRow({ id: 'keyRecord-2', state: 'SUCCEEDED', evidence })),
    );
    const receipt = callReceipt({ keyRecord: 'keyRecord-2' });
    await keepCalls(ledger, [receipt]);
    const text = await textOf(pages.app, `/calls/${receipt.id}`);
    expect(text).toContain('noa resolved it');
    expect(text).toContain('executed: &lt;i&gt;ch_1⟨U+202E⟩');
  });

  it('leads from a doubt to how it is settled', async () => {
    const { ledger } = pages.services;
    await ledger.store.transaction((tx) =>
      tx.insert('key_records', keyRecordRow({ id: 'keyRecord-3', state: 'UNKNOWN' })),
    );
    const receipt = callReceipt({ keyRecord: 'keyRecord-3' });
    await keepCalls(ledger, [receipt]);
    expect(await textOf(pages.app, `/calls/${receipt.id}`)).toContain('href="/spend#unknown"');
  });

  it('shows arguments that are kept leaf by leaf, and says when they are not', async () => {
    const { ledger } = pages.services;
    const [kept, digest, none] = [callReceipt(), callReceipt(), callReceipt()];
    await keepCalls(ledger, [kept], { policy: 'full', args: { to: { name: '<u>\u200Bbob' } } });
    await keepCalls(ledger, [digest], { policy: 'digest', args: { to: 'bob' } });
    await keepCalls(ledger, [none], { policy: 'none', args: { to: 'bob' } });
    const text = await textOf(pages.app, `/calls/${kept.id}`);
    expect(wordsOf(text)).toContain('to › name');
    expect(text).toContain('&lt;u&gt;⟨U+200B⟩bob');
    const told = await textOf(pages.app, `/calls/${digest.id}`);
    expect(wordsOf(told)).toContain('Only a salted digest');
    expect(told).not.toContain('bob');
    expect(await textOf(pages.app, `/calls/${none.id}`)).toContain('not stored');
  });

  it('says how many receipts were not searched for what belongs to it, until they are indexed', async () => {
    const { ledger } = pages.services;
    const others = Array.from({ length: 26_000 }, () => callReceipt());
    await keepCalls(ledger, [callReceipt({ approval: 'a' }), ...others]);
    const note =
      /may be missing here: \d,\d{3} receipts are not indexed yet, and were not searched/;
    expect(wordsOf(await textOf(pages.app, '/calls/0'))).toMatch(note);
    await indexReceipts(ledger.store);
    expect(wordsOf(await textOf(pages.app, '/calls/0'))).not.toContain('may be missing here');
  }, 30_000);

  it('is found by number too, and is missed politely', async () => {
    await keepCalls(pages.services.ledger, [callReceipt()]);
    expect(await textOf(pages.app, '/calls/0')).toContain('Call 0');
    expect(await textOf(pages.app, '/calls/nothing', 404)).toContain('no such call');
  });
});

describe('the integrity of a call', () => {
  it('is proved under the last checkpoint, once there is one', async () => {
    const { ledger } = pages.services;
    const receipts = [callReceipt(), callReceipt(), callReceipt()];
    await keepCalls(ledger, receipts);
    const path = `/calls/${receipts[1]?.id}`;
    expect(await textOf(pages.app, path)).toContain('No checkpoint covers it yet');
    await ledger.checkpoint();
    const text = await textOf(pages.app, path);
    expect(wordsOf(text)).toContain('in the signed log of 3 receipts');
    expect(text).not.toContain('role="alert"');
  });

  it.each([
    [
      'a column',
      "UPDATE receipt_index SET outcome = 'forbidden' WHERE seq = 1",
      'its body in outcome',
    ],
    [
      'the body',
      "UPDATE receipt_log SET body = '{}' WHERE seq = 1",
      'does not match its leaf hash',
    ],
    ['no JSON', "UPDATE receipt_log SET body = '{' WHERE seq = 1", 'is not a receipt'],
    [
      'another leaf',
      `UPDATE receipt_index SET leaf = '${'0'.repeat(64)}' WHERE seq = 0`,
      'not the one',
    ],
  ])('is loudly gone when someone has changed %s', async (_, sql, words) => {
    const { ledger } = pages.services;
    await keepCalls(ledger, [callReceipt(), callReceipt()]);
    await ledger.checkpoint();
    await indexReceipts(ledger.store);
    await ledger.store.transaction((tx) => tx.execute(sql));
    const text = await textOf(pages.app, '/calls/1');
    expect(text).toContain('This record was changed after it was written');
    expect(text).toContain(words);
  });

  it.each([
    [undefined, ''],
    ['sqlite:/tmp/own.sqlite', ' --ledger sqlite:/tmp/own.sqlite'],
  ])(
    'of a long log is proved by a command that can be copied as it is, with %s',
    async (hint, flag) => {
      const own = await openTestConsole(
        [registerCall],
        hint === undefined ? {} : { ledgerHint: hint },
      );
      await using ledger = own.services.ledger;
      await keepCalls(
        ledger,
        Array.from({ length: 10_001 }, () => callReceipt()),
      );
      await ledger.checkpoint();
      expect(await textOf(own.app, '/calls/7')).toContain(
        `<pre>plimsoll audit show 7${flag}</pre>`,
      );
      await ledger.store.transaction((tx) =>
        tx.execute("UPDATE checkpoints SET note = replace(note, '10001', '10002')"),
      );
      expect(await textOf(own.app, '/calls/7')).toContain(
        `<pre>plimsoll audit verify${flag}</pre>`,
      );
    },
  );
});
