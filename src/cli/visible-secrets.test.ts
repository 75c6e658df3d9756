import { expect, it } from 'vitest';
import { visibleSecrets } from './visible-secrets.ts';

it.each([
  [['gate', '--ledger', 'postgres://plimsoll:pw@db/ledger']],
  [['audit', 'verify', '--ledger=postgresql://plimsoll:pw@db/ledger']],
])('a password in the address of a ledger is found: %j', (args) => {
  expect(visibleSecrets(args)).toEqual([expect.stringContaining('PGPASSWORD')]);
});

it.each(['Authorization: Bearer x', 'x-api-key: x', 'Cookie: session=x'])(
  'a credential in a header is found: %s',
  (line) => {
    expect(visibleSecrets(['gate', '--url', 'https://a.example', '--header', line])).toEqual([
      expect.stringContaining('--header-env'),
    ]);
  },
);

it.each([
  [['gate', '--ledger', 'postgres://plimsoll@db/ledger', '--header', 'Accept-Language: en']],
  [['gate', '--ledger', 'sqlite:/tmp/a:b@c.sqlite']],
  [['gate', '--', 'server', '--ledger', 'postgres://plimsoll:pw@db/ledger']],
  [['gate', '--header-env', 'Authorization=TOKEN']],
])('nothing is found in %j', (args) => {
  expect(visibleSecrets(args)).toEqual([]);
});
