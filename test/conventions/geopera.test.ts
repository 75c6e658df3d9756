/**
 * Geopera as recorded: the 189 operations that have a tool are declared by what they do, and the
 * convention must stamp on each exactly the hints and metadata that Geopera publishes.
 */
import type { Declaration, Facts, HintName, Tier } from 'plimsoll';
import {
  computes,
  deletes,
  DeclarationError,
  defineOperation,
  geopera,
  HINT_NAMES,
  reads,
  readStamp,
  shares,
  spends,
  stamp,
  TIER_NAMES,
} from 'plimsoll';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { checkDeclaration } from '../../src/effect/declaration-faults.ts';
import { missingScopes } from '../../src/effect/operation.ts';
import record from '../fixtures/geopera.json' with { type: 'json' };
import { declarations } from './geopera.ts';
import { declare, hintsByName } from './golden.ts';

const tools = record.operations.filter((operation) => operation.excluded === null);
const stamps = new Map(declarations.map((each) => [each.name, stamp(each, geopera)]));

/** What a client holds after the listing went over the wire. */
const listing = declarations.map((each): unknown =>
  JSON.parse(JSON.stringify({ name: each.name, ...stamp(each, geopera) })),
);

function metaOf(name: string): Readonly<Record<string, unknown>> | undefined {
  return stamps.get(name)?._meta;
}

/** Operation name to one property of it, as recorded. */
function recorded<Value>(
  pick: (operation: (typeof tools)[number]) => Value,
): Record<string, Value> {
  return Object.fromEntries(tools.map((operation) => [operation.operation, pick(operation)]));
}

/** Operation name to the value under one `_meta` key, as stamped. */
function stamped(key: string): Record<string, unknown> {
  return Object.fromEntries(declarations.map(({ name }) => [name, metaOf(name)?.[key]]));
}

/** The tiers of the tools on which the convention says `true`. */
function tiersSaying(hint: HintName): Set<Tier> {
  const saying = declarations.filter(({ name }) => stamps.get(name)?.annotations[hint] === true);
  return new Set(saying.map(({ effect }) => effect.tier));
}

/** An operation that Geopera does not have, one for each tier. */
const NEW: Readonly<Record<Tier, Declaration>> = {
  read: declare('drones.list', 'List Drones', reads('drone')),
  compute: declare('drones.calibrate', 'Calibrate Drone', computes('drone')),
  external_spend: declare('drones.hire', 'Hire Drone', spends('credits')),
  share_export: declare('drones.lend', 'Lend Drone', shares('drone')),
  destructive: declare('drones.scrap', 'Scrap Drone', deletes('drone')),
};

describe('the table from tiers to hints', () => {
  it('R17: a read is read-only and open-world, and nothing else', () => {
    expect(hintsOfTier('read')).toEqual([record.tierToHints.read]);
    expect(record.tierToHints.read).toEqual(row(true, false, false, true));
  });

  it('R18: compute has no true hint', () => {
    expect(hintsOfTier('compute')).toEqual([record.tierToHints.compute]);
    expect(record.tierToHints.compute).toEqual(row(false, false, false, false));
  });

  it('R19: a spend is idempotent and open-world', () => {
    expect(hintsOfTier('external_spend')).toEqual([record.tierToHints.external_spend]);
    expect(record.tierToHints.external_spend).toEqual(row(false, false, true, true));
  });

  it('R20: a share or export is open-world only', () => {
    expect(hintsOfTier('share_export')).toEqual([record.tierToHints.share_export]);
    expect(record.tierToHints.share_export).toEqual(row(false, false, false, true));
  });

  it('R21: destruction is destructive only', () => {
    expect(hintsOfTier('destructive')).toEqual([record.tierToHints.destructive]);
    expect(record.tierToHints.destructive).toEqual(row(false, true, false, false));
  });

  it('R16: no operation is tuned, and no fact but the tier moves a hint', () => {
    expect(geopera.exceptions).toEqual([]);
    const otherwise: readonly Facts[] = [
      { reach: 'user-url' },
      { repeat: 'fresh' },
      { repeat: 'same' },
      { reversible: false, overwrites: true },
      { secrets: ['token'], trace: 'nothing', modes: ['sandbox'] },
    ];
    for (const facts of otherwise) {
      for (const tier of TIER_NAMES) {
        const effect = computes('anything', { ...facts, tier });
        expect(geopera.hints(effect)).toEqual(record.tierToHints[tier]);
      }
    }
  });

  it('R22: an operation that is new gets the row of its tier with no further work', () => {
    for (const tier of TIER_NAMES) {
      expect(stamp(NEW[tier], geopera).annotations).toEqual(record.tierToHints[tier]);
    }
  });

  it('R72 R73 R74 R75: a hint is true only on the tiers that it is meant for', () => {
    expect(tiersSaying('readOnlyHint')).toEqual(new Set(['read']));
    expect(tiersSaying('destructiveHint')).toEqual(new Set(['destructive']));
    expect(tiersSaying('idempotentHint')).toEqual(new Set(['external_spend']));
    expect(tiersSaying('openWorldHint')).toEqual(
      new Set(['read', 'external_spend', 'share_export']),
    );
  });

  it('R197: a tier outside the closed set is refused when the operation is defined', () => {
    expect(TIER_NAMES.toSorted()).toEqual(Object.keys(record.tierToHints).toSorted());
    expect(defineUnheardOf).toThrow(DeclarationError);
    expect(defineUnheardOf).toThrow(/tier-unknown/);
  });
});

describe('the recorded tools', () => {
  it('R60: exactly the operations that have a tool are declared, under their own ids', () => {
    expect(tools).toHaveLength(189);
    expect(declarations.map(({ name }) => name).toSorted()).toEqual(
      tools.map(({ operation }) => operation).toSorted(),
    );
  });

  it('R15 R24: each has exactly one tier, the recorded one, and says it in x-side-effect', () => {
    expect(Object.fromEntries(declarations.map(({ name, effect }) => [name, effect.tier]))).toEqual(
      recorded(({ tier }) => tier),
    );
    expect(stamped('x-side-effect')).toEqual(recorded(({ tier }) => tier));
  });

  it('an effect that depends on arguments shows its gravest row whole, never a mixture', () => {
    const [decide] = declarations.filter(({ effect }) => effect.varies.length > 0);
    expect(decide?.name).toBe('orders.tasking.quotation_decide');
    expect(stamps.get('orders.tasking.quotation_decide')?.annotations).toMatchObject(
      record.tierToHints.external_spend,
    );
  });

  it('R174: the hints on every tool are the recorded ones', () => {
    expect(hintsByName(declarations, geopera)).toEqual(recorded(({ hints }) => hints));
  });

  it('R23: all four hints are said on every tool, false included', () => {
    for (const { annotations } of stamps.values()) {
      expect(Object.keys(annotations).toSorted()).toEqual(HINT_NAMES.toSorted());
      expect(Object.values(annotations).every((value) => typeof value === 'boolean')).toBe(true);
    }
  });

  it('R25: x-required-scope is the one recorded scope', () => {
    expect(stamped('x-required-scope')).toEqual(recorded(({ scope }) => scope));
  });

  it('R26: x-produces lists the recorded kinds, an empty list where nothing is made', () => {
    expect(stamped('x-produces')).toEqual(recorded(({ produces }) => produces));
  });

  it('R59: every listed entry carries annotations and _meta side by side', () => {
    for (const entry of listing) {
      for (const hint of HINT_NAMES) expect(entry).toHaveProperty(['annotations', hint]);
      for (const key of ['x-side-effect', 'x-required-scope', 'x-produces']) {
        expect(entry).toHaveProperty(['_meta', key]);
      }
    }
  });

  it('R76: what an agent makes it can read back with a tool that needs no asking', () => {
    const backs = [
      ['orders.list', 'orders.get'],
      ['collections.list', 'collections.get'],
      ['notifications.list'],
      ['billing.credits.balance'],
      ['usage.current', 'usage.history'],
      ['processing.jobs.list', 'processing.job.get', 'clip.jobs.list', 'clip.job.get'],
    ].flat();
    for (const name of backs) expect(stamps.get(name)?.annotations.readOnlyHint).toBe(true);
  });
});

describe('what a client can tell from the listing alone', () => {
  it('R27: picks out the tools of a tier by _meta, without any description', () => {
    for (const tier of TIER_NAMES) {
      const picked = listing
        .map(readStamp)
        .filter((reading) => reading.tier.state === 'claimed' && reading.tier.value === tier)
        .map(({ name }) => name ?? '');
      const expected = tools.filter((tool) => tool.tier === tier).map((tool) => tool.operation);
      expect(picked.toSorted()).toEqual(expected.toSorted());
    }
  });

  it('R61: _meta tells any two tiers apart, also compute and share_export', () => {
    const said = TIER_NAMES.map((tier) => stamp(NEW[tier], geopera)._meta?.['x-side-effect']);
    expect(new Set(said).size).toBe(TIER_NAMES.length);

    const { openWorldHint: _c, ...compute } = stamp(NEW.compute, geopera).annotations;
    const { openWorldHint: _s, ...share } = stamp(NEW.share_export, geopera).annotations;
    expect(compute).toEqual(share);
    expect(stamp(NEW.compute, geopera)._meta).not.toEqual(stamp(NEW.share_export, geopera)._meta);
  });

  it('R94: foresees from x-required-scope which calls would be refused', () => {
    const held = ['orders:read', 'items:*', '*:process'];
    const refused = listing
      .map(readStamp)
      .filter(
        ({ scopes }) => scopes.state !== 'claimed' || missingScopes(scopes.value, held).length > 0,
      )
      .map(({ name }) => name ?? '');
    const covered = /^(orders:read|items:.*|.*:process)$/;
    const expected = tools
      .filter((tool) => !covered.test(tool.scope))
      .map((tool) => tool.operation);
    expect(refused.toSorted()).toEqual(expected.toSorted());
    expect(refused).toContain('orders.archive.place');
  });

  it('finds nothing in any stamp that contradicts itself', () => {
    expect(listing.flatMap((entry) => readStamp(entry).findings)).toEqual([]);
  });
});

describe('the declarations', () => {
  it('R198: each spend with a recorded estimate names it, and it is a read that moves nothing', () => {
    const partners = declarations.flatMap(({ name, effect }) =>
      effect.money?.estimate === undefined ? [] : [[name, effect.money.estimate] as const],
    );
    expect(Object.fromEntries(partners)).toEqual(record.estimatePairs);
    for (const [, partner] of partners) {
      const estimate = declarations.find(({ name }) => name === partner)?.effect;
      expect(estimate).toMatchObject({ act: 'read', tier: 'read', money: { moves: 'estimate' } });
    }
  });

  it('have no faults, so each could be served as it stands', () => {
    const faults = declarations.flatMap((declaration) =>
      checkDeclaration({
        ...declaration,
        description: 'As recorded.',
        inputSchema: {
          type: 'object',
          properties: Object.fromEntries(
            declaration.effect.varies.flatMap(({ when }) =>
              'argument' in when ? [[when.argument, { description: 'Recorded.' }]] : [],
            ),
          ),
        },
        outputSchema: {
          type: 'object',
          properties: Object.fromEntries(declaration.effect.secrets.map((name) => [name, {}])),
        },
      }),
    );
    expect(faults).toEqual([]);
  });

  it('name the fields that are shown once, also where the tier is not made for secrets', () => {
    const secretive = declarations.filter(({ effect }) => effect.secrets.length > 0);
    expect(Object.fromEntries(secretive.map(({ name, effect }) => [name, effect.secrets]))).toEqual(
      {
        'api_keys.create': ['key'],
        'event_subscriptions.create': ['secret'],
        'payment_methods.create_setup_intent': ['client_secret'],
        'share.link.create': ['token'],
        'uploads.signed_url': ['upload_url'],
      },
    );
  });

  it('state a tier other than the usual one only for cancelling an order', () => {
    const stated = declarations.filter(({ effect }) => effect.tierReason !== undefined);
    expect(stated.map(({ name }) => name)).toEqual(['orders.cancel']);
  });

  it('have titles for people, no two alike', () => {
    const titles = declarations.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
    for (const title of titles) expect(title).toMatch(/^[A-Z][\w-]*( [\w-]+)+$/);
  });
});

function defineUnheardOf(): unknown {
  return defineOperation({
    name: 'drones.fly',
    title: 'Fly Drone',
    description: 'Flies a drone.',
    input: z.object({}),
    // @ts-expect-error the compiler refuses it too
    effect: computes('drone', { tier: 'mostly_harmless' }),
    run: () => ({}),
  });
}

/** The distinct hints on the tools of a tier. */
function hintsOfTier(tier: Tier): unknown[] {
  const hints = declarations
    .filter(({ effect }) => effect.tier === tier)
    .map(({ name }) => JSON.stringify(stamps.get(name)?.annotations));
  return [...new Set(hints)].map((text): unknown => JSON.parse(text));
}

function row(
  readOnlyHint: boolean,
  destructiveHint: boolean,
  idempotentHint: boolean,
  openWorldHint: boolean,
): Record<HintName, boolean> {
  return { readOnlyHint, destructiveHint, idempotentHint, openWorldHint };
}
