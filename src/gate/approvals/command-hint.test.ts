import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { toApproveCommand, toLedgerHint } from './command-hint.ts';

it.each([
  ['sqlite:/srv/ledger.sqlite', 'sqlite:/srv/ledger.sqlite'],
  ['sqlite:ledger.sqlite', `sqlite:${resolve('ledger.sqlite')}`],
  ["sqlite:/srv/Ann's ledger.db", `'sqlite:/srv/Ann'\\''s ledger.db'`],
  ['postgres://mia:secret@db.example/plimsoll', 'postgres://mia@db.example/plimsoll'],
  ['postgres://mia@db.example/p?password=secret', 'postgres://mia@db.example/p'],
])('names the ledger %s for a shell, without a password', (address, hint) => {
  expect(toLedgerHint(address)).toBe(hint);
});

it('leaves the default ledger unnamed', () => {
  expect(toApproveCommand('5c1f09aa')).toBe('plimsoll approve 5c1f09aa');
});
