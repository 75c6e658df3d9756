import { describe, expect, it, vi } from 'vitest';
import { callReceipt, keepCalls } from '../../test/console/calls-fixture.ts';
import { ConsoleDoor } from '../../test/support/console-door.ts';

const LIMIT = 60_000;

describe('assets', () => {
  it.each(['console.css', 'console.js', 'mark.svg'])('%s comes with a tag', async (name) => {
    await using door = await ConsoleDoor.open();
    const first = await door.send(`/assets/${name}`);
    expect(first.status).toBe(200);
    const tag = String(first.headers['etag']);
    const again = await door.send(`/assets/${name}`, { headers: { 'if-none-match': tag } });
    expect(again).toMatchObject({ status: 304, text: '' });
  });

  it.each(['nothing.css', '..%2fopen-console.ts', 'console.css/..', '%2e%2e/page.ts'])(
    '%s is not one of them',
    async (name) => {
      await using door = await ConsoleDoor.entered();
      expect((await door.get(`/assets/${name}`)).status).toBe(404);
    },
  );

  it('and the page weigh less than 60 kB together', async () => {
    await using door = await ConsoleDoor.entered();
    for (let count = 0; count < 3; count += 1) await door.ask();
    const paths = ['/', '/assets/console.css', '/assets/console.js', '/assets/mark.svg'];
    const texts = await Promise.all(paths.map(async (path) => (await door.page(path)).text));
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    expect(bytes).toBeGreaterThan(5000);
    expect(bytes).toBeLessThan(LIMIT);
  });
});

it('shows receipts that nobody has indexed, and indexes them behind the page', async () => {
  await using door = await ConsoleDoor.entered();
  const { ledger } = door.services;
  await keepCalls(ledger, [callReceipt({ operation: 'new_one' })]);
  expect((await door.page('/calls')).text).toContain('new_one');
  await vi.waitFor(async () => {
    const indexed = await ledger.store.transaction((tx) => tx.find('receipt_index', { seq: 0 }));
    expect(indexed).toMatchObject({ operation: 'new_one' });
  });
});
