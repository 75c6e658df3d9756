/** What the caller of a waiting call is told, as a table that any language can replay. */
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import cases from './waiting-text.cases.json' with { type: 'json' };
import type { Waiting } from './waiting-text.ts';
import { toApproveCommand, toHoldingText, toLedgerHint, toWaitingText } from './waiting-text.ts';

interface Case {
  readonly note: string;
  readonly waiting: Waiting;
  readonly text: string;
}

it.each((cases as readonly Case[]).map((each) => [each.note, each] as const))(
  '%s',
  (_, { waiting, text }) => {
    expect(toWaitingText(waiting)).toBe(text);
  },
);

it.each([
  [
    'console and terminal',
    { atConsole: true, atTerminal: true, consoleUrl: 'http://a.localhost:4300/approvals/5c1f' },
    'Plimsoll is waiting for a person: to approve or decline, open http://a.localhost:4300/approvals/5c1f, or run `plimsoll approve 5c1f09aa` in a terminal.',
  ],
  [
    'a console that does not run',
    { atConsole: true, atTerminal: false },
    'Plimsoll is waiting for a person: to approve or decline, run `plimsoll console`.',
  ],
  [
    'the form of the host',
    { atConsole: false, atTerminal: false },
    'Plimsoll is waiting for a person to answer.',
  ],
])('says while a call is held where a person answers: %s', (_, places, text) => {
  expect(toHoldingText({ shortId: '5c1f09aa', byWebhook: false, ...places })).toBe(text);
});

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
