/**
 * The EPD convention against its record: the live tools of 2026-08-25, corrected where the seed or the
 * documentation decides otherwise, and the seed's lists by safety expanded to concrete tools.
 */
import type { Declaration, HintName, Hints } from 'plimsoll';
import { deletes, epd, expandNames, HINT_NAMES, reads, stamp } from 'plimsoll';
import { describe, expect, it } from 'vitest';
import type { Declared } from '../../src/effect/declaration-faults.ts';
import { checkDeclaration } from '../../src/effect/declaration-faults.ts';
import record from '../fixtures/epd.json' with { type: 'json' };
import { declarations } from './epd.ts';
import { declare, hintsByName } from './golden.ts';

interface Correction {
  readonly name: string;
  readonly hints: Hints;
  readonly why: string;
}

const LISTED = 'the seed lists it as destructive';
const NONE_OPEN = 'the seed says that no tool is open world today';
const NOT_LISTED = 'the documentation says not destructive, and the seed does not list it';

/** What the seed decides where the live record says otherwise. */
const SEED_OVER_LIVE: readonly Correction[] = [
  { name: 'upgrade_webhook_version', hints: { destructiveHint: true }, why: LISTED },
  { name: 'downgrade_webhook_version', hints: { destructiveHint: true }, why: LISTED },
  { name: 'test_webhook_endpoint', hints: { openWorldHint: false }, why: NONE_OPEN },
  { name: 'replay_webhook_event', hints: { openWorldHint: false }, why: NONE_OPEN },
  { name: 'create_customer_and_charge', hints: { destructiveHint: false }, why: NOT_LISTED },
  { name: 'create_customer_and_subscribe', hints: { destructiveHint: false }, why: NOT_LISTED },
  { name: 'process_order', hints: { destructiveHint: false }, why: NOT_LISTED },
  { name: 'retry_failed_charge', hints: { destructiveHint: false }, why: NOT_LISTED },
];

/** The seed's lists by safety, as it writes them. */
const SEED_READS = [
  'list_*',
  'get_*',
  'preview_*',
  'compare_*',
  'ping',
  'get_account',
  'get_revenue_summary',
  'get_customer_financial_summary',
  'list_past_due_subscriptions',
];
const SEED_DESTRUCTIVE = [
  'delete_*',
  'cancel_subscription',
  'refund_order',
  'refund_transaction',
  'refund_and_cancel',
  'cancel_subscription_and_report',
  'upgrade_account_api_version',
  'upgrade_webhook_version',
  'downgrade_webhook_version',
];

/** Tools of a class that none of the seed's patterns name; only the live record speaks of them. */
const READS_BESIDE_SEED = ['retrieve_coupon', 'validate_coupon'];
const DESTRUCTIVE_BESIDE_SEED = ['archive_coupon', 'retry_order', 'rotate_webhook_secret'];

const hints = hintsByName(declarations, epd);
const names = declarations.map(({ name }) => name);

describe('the record', () => {
  it('declares exactly the 67 recorded tools', () => {
    expect(names.toSorted()).toStrictEqual(record.map(({ name }) => name).toSorted());
    expect(new Set(names).size).toBe(67);
  });

  it.each(record)('stamps $name with the expected hints', ({ name, live }) => {
    expect(hints[name]).toStrictEqual({
      ...live,
      ...SEED_OVER_LIVE.find((correction) => correction.name === name)?.hints,
    });
  });

  it.each(record.filter(({ docs }) => docs !== null))(
    'agrees with the documentation on $name',
    ({ name, docs }) => {
      expect(hints[name]).toStrictEqual(docs);
    },
  );

  it.each(SEED_OVER_LIVE)('overrules the live record on $name: $why', (correction) => {
    const live = record.find(({ name }) => name === correction.name)?.live;
    expect(live).toBeDefined();
    expect(live).not.toMatchObject(correction.hints);
  });

  it('R46: every tool says all four hints as booleans', () => {
    const silent = names.filter((name) =>
      HINT_NAMES.some((hint) => typeof hints[name]?.[hint] !== 'boolean'),
    );
    expect(silent).toEqual([]);
  });

  it('R53: the recorded title stands in the annotations and on the tool, and is not the name', () => {
    for (const declaration of declarations) {
      const { title, annotations } = stamp(declaration, epd);
      expect(title).toBe(record.find(({ name }) => name === declaration.name)?.title);
      expect(annotations.title).toBe(title);
      expect(title).not.toBe(declaration.name);
    }
  });

  it('declares the key of every tool that takes one', () => {
    const declared = record.map(({ name }) => {
      const { repeat } = find(name).effect;
      return { name, key: repeat.kind === 'key' ? repeat.need : 'none' };
    });
    expect(declared).toStrictEqual(record.map(({ name, key }) => ({ name, key })));
  });

  it('requires no scope, because the convention knows only whole keys', () => {
    expect(declarations.filter(({ scopes }) => scopes.length > 0)).toEqual([]);
  });

  it('holds no declaration with a fault', () => {
    expect(declarations.flatMap((declaration) => checkDeclaration(complete(declaration)))).toEqual(
      [],
    );
  });

  it('marks the signing secret of every tool that shows one', () => {
    const withSecret = declarations.filter(({ effect }) => effect.secrets.length > 0);
    expect(withSecret.map(({ name }) => name)).toStrictEqual([
      'create_webhook_endpoint',
      'rotate_webhook_secret',
      'setup_webhook_monitoring',
    ]);
    for (const { effect } of withSecret) expect(effect.secrets).toStrictEqual(['signing_secret']);
  });
});

describe('the four flags', () => {
  it('R47: read-only is what reads, and nothing else', () => {
    expect(stamped('readOnlyHint')).toStrictEqual(
      declarations.filter(({ effect }) => effect.act === 'read').map(({ name }) => name),
    );
  });

  it('R48: what deletes, cancels, refunds or has no way back is destructive', () => {
    const acts = ['delete', 'cancel', 'refund'];
    const grave = declarations.filter(({ effect }) => acts.includes(effect.act));
    expect(grave).toHaveLength(10);
    expect(stamped('destructiveHint')).toEqual(
      expect.arrayContaining(grave.map(({ name }) => name)),
    );
    expect(find('upgrade_account_api_version').effect.reversible).toBe(false);
    expect(hints['upgrade_account_api_version']?.destructiveHint).toBe(true);
    expect(hints['create_order']?.destructiveHint).toBe(false);
  });

  it('R49: every read and every other tool is repeatable, except the two that deliver', () => {
    const fresh = names.filter((name) => hints[name]?.idempotentHint === false);
    expect(fresh).toStrictEqual(['test_webhook_endpoint', 'replay_webhook_event']);
  });

  it('R50 R164: no tool is open world today, and a later one that leaves EPD is', () => {
    expect(stamped('openWorldHint')).toStrictEqual([]);
    for (const reach of ['user-url', 'third-party'] as const) {
      const later = declare('get_exchange_rate', 'Get exchange rate', reads('rate', { reach }));
      expect(stamp(later, epd).annotations.openWorldHint).toBe(true);
    }
  });

  it('keeps the fact that two tools post to a user URL, whatever the hint says', () => {
    const outward = declarations.filter(({ effect }) => effect.reach === 'user-url');
    expect(outward.map(({ name }) => name)).toStrictEqual([
      'test_webhook_endpoint',
      'replay_webhook_event',
    ]);
  });

  it('R51 R209: destructive and repeatable are independent of each other', () => {
    const purge = declare('purge', 'Purge', deletes('log line', { repeat: 'fresh' }));
    expect(hints['cancel_subscription']).toMatchObject(pair(true, true));
    expect(hints['update_customer']).toMatchObject(pair(false, true));
    expect(hints['test_webhook_endpoint']).toMatchObject(pair(false, false));
    expect(stamp(purge, epd).annotations).toMatchObject(pair(true, false));
  });

  it('R87: cancel_subscription is annotated exactly as in the example of the seed', () => {
    expect(stamp(find('cancel_subscription'), epd).annotations).toStrictEqual({
      title: 'Cancel subscription',
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    });
  });
});

describe('lists by safety', () => {
  it('R85 R208: the read-only tools are the expanded read list of the seed and two more', () => {
    expect([...expand(SEED_READS), ...READS_BESIDE_SEED].toSorted()).toStrictEqual(
      stamped('readOnlyHint').toSorted(),
    );
  });

  it('R86 R208: the destructive tools are the expanded list of the seed and three more', () => {
    expect([...expand(SEED_DESTRUCTIVE), ...DESTRUCTIVE_BESIDE_SEED].toSorted()).toStrictEqual(
      stamped('destructiveHint').toSorted(),
    );
  });

  it('R208: every pattern finds a tool, and the expansion is the class on record', () => {
    const patterns = [...SEED_READS, ...SEED_DESTRUCTIVE];
    expect(patterns.filter((pattern) => expand([pattern]).length === 0)).toEqual([]);
    expect(expand(SEED_READS).toSorted()).toStrictEqual(recordedAs('read').toSorted());
    expect(expand(SEED_DESTRUCTIVE).toSorted()).toStrictEqual(recordedAs('destructive').toSorted());
  });
});

describe('exceptions', () => {
  const byRule = hintsByName(declarations, { ...epd, exceptions: [] });

  it('names each excepted tool once', () => {
    const operations = epd.exceptions.map(({ operation }) => operation);
    expect(new Set(operations).size).toBe(operations.length);
  });

  it.each(epd.exceptions)('$operation is declared, with a reason', ({ operation, reason }) => {
    expect(names).toContain(operation);
    expect(reason).toMatch(/^[A-Z].*\.$/);
  });

  it.each(epd.exceptions)('$operation changes every hint it names', (exception) => {
    const excused = HINT_NAMES.filter((name) => exception.hints[name] !== undefined);
    expect(excused).not.toHaveLength(0);
    for (const name of excused) {
      expect(byRule[exception.operation]?.[name]).not.toBe(hints[exception.operation]?.[name]);
    }
  });
});

function find(name: string): Declaration {
  const found = declarations.find((declaration) => declaration.name === name);
  if (found === undefined) throw new Error(`${name} is not declared`);
  return found;
}

/** The tools that say yes to a hint, in the order of their declaration. */
function stamped(hint: HintName): readonly string[] {
  return names.filter((name) => hints[name]?.[hint] === true);
}

function expand(patterns: readonly string[]): readonly string[] {
  return expandNames(patterns, names);
}

function recordedAs(seedClass: string): readonly string[] {
  return record.filter((tool) => tool.seedClass === seedClass).map(({ name }) => name);
}

function pair(destructiveHint: boolean, idempotentHint: boolean): Hints {
  return { destructiveHint, idempotentHint };
}

/** The declaration with the least of a schema: the result fields that are secret. */
function complete(declaration: Declaration): Declared {
  const { secrets } = declaration.effect;
  return {
    ...declaration,
    description: declaration.title,
    inputSchema: { type: 'object' },
    outputSchema: {
      type: 'object',
      properties: Object.fromEntries(secrets.map((name) => [name, { type: 'string' }])),
    },
  };
}
