/** A process that spends at a ledger until it is killed: `node spend-in-a-loop.ts ADDRESS`. */
import { randomUUID } from 'node:crypto';
import { createServer, defineOperation, openLedger, spends } from 'plimsoll/server';
import * as z from 'zod';
import { callInProcess } from '../support/call-in-process.ts';

const AT_ONCE = 4;

const ledger = await openLedger(process.argv[2] ?? '', {
  key: Buffer.alloc(32, 7),
  report: () => {},
});
const pay = defineOperation({
  name: 'pay',
  title: 'Pay',
  description: 'Pays.',
  input: z.object({}),
  effect: spends('EUR cents'),
  partner: { class: 'opaque' },
  run: () => {},
});
const server = createServer({
  name: 'shop',
  version: '1',
  operations: [pay],
  ledger,
  report: () => {},
});

async function spendForever(): Promise<never> {
  for (;;) {
    await callInProcess(server, pay, {}, { key: randomUUID() });
    process.stdout.write('.');
  }
}

await Promise.all(Array.from({ length: AT_ONCE }, spendForever));
