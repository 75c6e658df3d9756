/** Servers that speak for calls that were never sent to them, with a ledger on PostgreSQL. */
import { expect, it } from 'vitest';
import { AttackedGate, useLedgers } from './attacked-gate.ts';
import { openPostgresLedger } from './attacked-ledger.ts';

useLedgers(openPostgresLedger);

it('the ledger is one on PostgreSQL', async () => {
  await using gate = await AttackedGate.open({ tools: [] });
  expect(gate.ledger).toMatch(/^postgres:/);
}, 60_000);

await import('./server-answers.test.ts');
