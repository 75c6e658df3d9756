/** The merchant's month with every repeatable call made twice: the answers are equal and nothing happens twice. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Effect } from 'plimsoll';
import { epd, stamp } from 'plimsoll';
import { expect, it } from 'vitest';
import { runMonth } from './merchant-month.ts';
import type { Json } from './test-billing.ts';
import { DAY, openTestBilling, readBooks, totals } from './test-billing.ts';

it('R114: every tool that claims idempotentHint answers the same again for the same arguments', async () => {
  await using billing = await openTestBilling();
  const hook = createServer((request, response) => {
    request.resume().once('end', () => response.end());
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  const { port } = hook.address() as AddressInfo;
  const { operations } = billing.server;
  const isRepeatable = (name: string) => {
    const operation = operations.get(name);
    return operation !== undefined && stamp(operation, epd).annotations?.idempotentHint === true;
  };
  const repeated = new Set<string>();
  const differing: string[] = [];
  const month = await runMonth(
    {
      call: async (name, args, key) => {
        const [first, second] = keysFor(operations.get(name)?.effect.repeat, key);
        const answer = await billing.call(name, args, { key: first });
        if (!isRepeatable(name)) return answer;
        const again = await billing.call(name, args, { key: second });
        repeated.add(name);
        const [one, two] = [answer, again].map(comparable);
        if (one !== two) differing.push(`${name}: ${one} ${two}`);
        return answer;
      },
      pass: (days) => billing.pass(days * DAY),
      processorUrl: billing.processor.url,
      hookUrl: `http://127.0.0.1:${port}/`,
    },
    'twice',
  );
  hook.close();
  hook.closeAllConnections();
  expect(differing).toEqual([]);
  expect(repeated).toEqual(new Set([...operations.keys()].filter(isRepeatable)));
  expect(repeated.size).toBe(65);
  const { sales, refunds } = month;
  expect(totals(await readBooks(billing.processor.url))).toEqual({ sales, refunds });
});

/** Where a repeat settles by nature, it has to without the key too; otherwise the key makes it one call. */
function keysFor(repeat: Effect['repeat'] | undefined, key: string) {
  if (repeat?.kind !== 'key') return [null, null] as const;
  const settles = repeat.also?.some(({ kind }) => kind === 'end-state') === true;
  return settles && repeat.need !== 'required' ? ([null, `${key}-2`] as const) : [key, key];
}

/** When something was changed last is no part of the answer, and a secret is shown once. */
const MAY_DIFFER = ['updated_at', 'revision', 'signing_secret'];

function comparable({ status, body }: { status: number; body: Json }): string {
  if (status !== 200) return `${status} ${String(body['code'])}`;
  return JSON.stringify(body, (name, value: unknown) =>
    MAY_DIFFER.includes(name) ? undefined : value,
  );
}
