import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  creates,
  deletes,
  puts,
  reads,
  shares,
  spends,
  updates,
  varies,
  when,
  whenState,
} from './acts.ts';
import type { FaultCode } from './declaration-faults.ts';
import { FAULT_CODES } from './declaration-faults.ts';
import type { OperationInit } from './define-operation.ts';
import { DeclarationError, defineOperation } from './define-operation.ts';
import type { Effect } from './effect.ts';
import type { Schema } from './schema.ts';

type Init = OperationInit<Schema, Schema>;

function init(changes: Partial<Init> = {}): Init {
  return {
    name: 'notes_delete',
    title: 'Delete Note',
    description: 'Deletes a note for good.',
    input: z.object({ id: z.number().describe('Which note') }),
    effect: deletes('note'),
    run: () => undefined,
    ...changes,
  };
}

function faultsOf(changes: Partial<Init>): readonly FaultCode[] {
  try {
    defineOperation(init(changes));
    return [];
  } catch (error) {
    if (!(error instanceof DeclarationError)) throw error;
    return error.faults.map(({ code }) => code);
  }
}

/** Variations within variations. */
function nest(levels: number): Effect {
  if (levels === 0) return deletes('note');
  return varies(updates('note'), { when: when('id', levels), effect: nest(levels - 1) });
}

const secretOutput = z.object({ url: z.string(), token: z.string() });

describe('defineOperation', () => {
  it('gives a frozen operation with its schemas', () => {
    const operation = defineOperation(init());
    expect(Object.isFrozen(operation)).toBe(true);
    expect(operation.inputSchema).toMatchObject({ type: 'object', additionalProperties: false });
    expect(operation.scopes).toEqual([]);
  });

  it('R63: shows parameter descriptions in the input schema', () => {
    expect(defineOperation(init()).inputSchema).toHaveProperty(
      'properties.id.description',
      'Which note',
    );
  });

  it('R29: carries title, description and optional icons', () => {
    const icons = [{ src: 'data:image/png;base64,AA==', mimeType: 'image/png', sizes: ['48x48'] }];
    expect(defineOperation(init({ icons }))).toMatchObject({ title: 'Delete Note', icons });
    expect(defineOperation(init())).not.toHaveProperty('icons');
  });
});

/** One row for each thing that can never be right. */
const REFUSED: readonly (readonly [string, Partial<Init>, FaultCode])[] = [
  ['a name with spaces', { name: 'delete note' }, 'name-not-allowed'],
  ['a name of a dot', { name: '.' }, 'name-not-allowed'],
  ['a name of marks only', { name: '_-..' }, 'name-not-allowed'],
  ['R12: a missing title', { title: ' ' }, 'title-missing'],
  ['R28: a title that repeats the name', { title: 'notes_delete' }, 'title-is-name'],
  ['a missing description', { description: '' }, 'description-missing'],
  [
    'R197: a tier that is not in the set',
    { effect: { ...deletes('note'), tier: 'harmless' } as unknown as Effect },
    'tier-unknown',
  ],
  [
    'R9: a destructive read',
    { effect: reads('note', { tier: 'destructive', tierReason: 'x' }) },
    'tier-against-act',
  ],
  [
    'a delete that calls itself a read',
    { effect: deletes('note', { tier: 'read' }) },
    'tier-against-act',
  ],
  [
    'another tier without a reason',
    { effect: creates('note', { tier: 'destructive' }) },
    'tier-without-reason',
  ],
  ['a read that overwrites', { effect: reads('note', { overwrites: true }) }, 'read-that-changes'],
  [
    'a read that cannot be undone',
    { effect: reads('note', { reversible: false }) },
    'read-that-changes',
  ],
  [
    'a spend without a repeat contract',
    { effect: spends('EUR', { repeat: 'fresh' }) },
    'spend-without-contract',
  ],
  [
    'a secret outside sharing without a reason',
    { effect: creates('hook', { secrets: ['token'] }), output: secretOutput },
    'secret-without-reason',
  ],
  [
    'R202: a secret that the output does not have',
    { effect: shares('link', { secrets: ['key'] }), output: secretOutput },
    'secret-not-in-output',
  ],
  ['a required wildcard scope', { scopes: ['notes:*'] }, 'scope-not-allowed'],
  ['an input that is no object', { input: z.array(z.string()) }, 'input-not-object'],
  [
    'R42: a parameter without a description',
    { input: z.object({ id: z.number() }) },
    'parameter-undescribed',
  ],
  ...(
    [
      { reach: 'everywhere' },
      { trace: 'diary' },
      { act: 'frobnicate' },
      { modes: ['prod'] },
      { modes: [] },
      { repeat: creates('x', { repeat: 'sometimes' as 'same' }).repeat },
      { repeat: { kind: 'key', need: 'sometimes' } },
      { money: { moves: 'donate', unit: 'EUR' } },
    ] as const
  ).map(
    (facts) =>
      [
        `a fact that there is not: ${JSON.stringify(facts)}`,
        { effect: { ...deletes('note'), ...facts } as unknown as Effect },
        'fact-unknown',
      ] as const,
  ),
  ['a read under a key', { effect: reads('note', { repeat: 'key-required' }) }, 'read-under-key'],
  [
    'a key that is a number',
    { effect: spends('EUR'), input: z.object({ idempotency_key: z.number().describe('Key') }) },
    'key-argument-unusable',
  ],
  [
    'a key that must be shorter than any key',
    {
      effect: spends('EUR'),
      input: z.object({ idempotency_key: z.string().max(10).describe('Key') }),
    },
    'key-argument-unusable',
  ],
  [
    'a variation by an unknown argument, two levels down',
    {
      effect: varies(updates('note'), {
        when: when('id', 1),
        effect: varies(puts('note'), { when: when('toString', 'x'), effect: deletes('note') }),
      }),
    },
    'variation-of-unknown-argument',
  ],
  [
    'a variation by a value that cannot be sent',
    {
      input: z.object({ mode: z.enum(['keep', 'delete']).describe('Mode') }),
      effect: varies(updates('note'), { when: when('mode', 'delte'), effect: deletes('note') }),
    },
    'variation-of-unknown-value',
  ],
  ...(
    [
      ['a text where the argument is a list', z.array(z.enum(['keep', 'delete'])), 'delete'],
      ['a text where the argument is a number', z.number(), '1'],
      ['a number where the argument is a text', z.string(), 1],
      ['a number where the argument is a text or missing', z.string().nullable(), 1],
      ['a fraction where the argument is an integer', z.int(), 1.5],
      ['true where the argument is a text', z.string(), true],
    ] as const
  ).map(
    ([name, mode, value]) =>
      [
        `a variation by ${name}`,
        {
          input: z.object({ mode: mode.describe('Mode') }),
          effect: varies(updates('note'), { when: when('mode', value), effect: deletes('note') }),
        },
        'variation-of-unknown-value',
      ] as const,
  ),
  [
    'a variation by no value',
    {
      effect: varies(updates('note'), {
        when: { argument: 'id', is: [] },
        effect: deletes('note'),
      }),
    },
    'variation-of-unknown-value',
  ],
  ['variations that nobody would read to the end', { effect: nest(5) }, 'variations-too-many'],
  [
    'a long list of variations',
    {
      effect: varies(
        updates('note'),
        ...Array.from({ length: 65 }, (_, id) => ({ when: when('id', id), effect: puts('note') })),
      ),
    },
    'variations-too-many',
  ],
  [
    'repeat contracts that cannot hold at once',
    { effect: deletes('note', { repeat: ['fresh', 'key-optional'] }) },
    'repeats-contradict',
  ],
  [
    'an effect by a state that nobody reads',
    { effect: varies(updates('note'), { when: whenState('locked'), effect: puts('note') }) },
    'states-not-read',
  ],
  [
    'a variation by an unknown argument',
    { effect: varies(updates('note'), { when: when('mode', 'x'), effect: puts('note') }) },
    'variation-of-unknown-argument',
  ],
];

describe('refused at registration', () => {
  it.each(REFUSED)('%s', (_, changes, code) => {
    expect(faultsOf(changes)).toContain(code);
  });

  it('has a case for every code', () => {
    expect(new Set(REFUSED.map(([, , code]) => code))).toEqual(new Set(FAULT_CODES));
  });

  it('tells everything at once, and what to write', () => {
    const broken = init({ title: '', input: z.object({ id: z.number() }) });
    expect(() => defineOperation(broken)).toThrow(/write a title for people[^]*add \.describe\(/);
  });

  it('also looks at effects that only some arguments bring about', () => {
    const input = z.object({ pay: z.boolean().describe('Pay now') });
    const effect = varies(creates('order'), {
      when: when('pay', true),
      effect: spends('EUR', { repeat: 'fresh' }),
    });
    expect(faultsOf({ input, effect })).toEqual(['spend-without-contract']);
  });

  it('also looks at effects of variations within variations', () => {
    const input = z.object({
      order: z.boolean().describe('Order'),
      pay: z.boolean().describe('Pay now'),
    });
    const effect = varies(reads('order'), {
      when: when('order', true),
      effect: varies(creates('order'), {
        when: when('pay', true),
        effect: spends('EUR', { repeat: 'fresh' }),
      }),
    });
    expect(faultsOf({ input, effect })).toEqual(['spend-without-contract']);
  });

  it('accepts a variation by a value that the schema makes of what is sent', () => {
    const effect = varies(updates('note'), {
      when: when('mode', 'delete'),
      effect: deletes('note'),
    });
    const accepted = [
      z.enum(['Keep', 'Delete']).transform((mode) => mode.toLowerCase()),
      z
        .enum(['Keep', 'Delete'])
        .transform((mode) => mode.toLowerCase())
        .pipe(z.enum(['keep', 'delete'])),
      z.string(),
      z.union([z.number(), z.string()]),
      z.any(),
      z.enum(['keep', 'delete']).nullable().default('keep'),
    ];
    for (const mode of accepted) {
      expect(faultsOf({ effect, input: z.object({ mode: mode.describe('Mode') }) })).toEqual([]);
    }
  });

  it('accepts up to four levels of variations', () => {
    expect(faultsOf({ effect: nest(4) })).toEqual([]);
  });

  it('accepts each when the author gives the reason', () => {
    const effect = creates('hook', {
      secrets: ['token'],
      secretsReason: 'The signing secret of the hook.',
    });
    expect(faultsOf({ effect, output: secretOutput })).toEqual([]);
    const stated = creates('note', { tier: 'destructive', tierReason: 'It replaces the old one.' });
    expect(faultsOf({ effect: stated })).toEqual([]);
  });

  it('documents exactly these codes', () => {
    const page = readFileSync('docs/declaring.md', 'utf8').split('## What is refused')[1] ?? '';
    const documented = [...page.matchAll(/^\| `([a-z-]+)` \|/gm)].map(([, code]) => code);
    expect(new Set(documented)).toEqual(new Set(FAULT_CODES));
  });
});
