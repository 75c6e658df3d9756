import { describe, expect, it } from 'vitest';
import { creates, deletes, puts, reads, shares, varies, when } from './acts.ts';
import type { Effect } from './effect.ts';
import { withExceptions } from './convention.ts';
import { closient } from './conventions/closient.ts';
import { geopera } from './conventions/geopera.ts';
import { nextcloud } from './conventions/nextcloud.ts';
import { plimsoll } from './conventions/plimsoll.ts';
import type { Declaration } from './operation.ts';
import { stamp } from './stamp.ts';

function declare(effect: Effect, changes: Partial<Declaration> = {}): Declaration {
  return { name: 'op', title: 'Operation', effect, scopes: [], produces: [], ...changes };
}

describe('stamp', () => {
  it('puts the title where the convention wants it', () => {
    const read = declare(reads('x'));
    expect(stamp(read, plimsoll)).toMatchObject({
      title: 'Operation',
      annotations: { title: 'Operation' },
    });
    expect(stamp(read, nextcloud).annotations).not.toHaveProperty('title');
    expect(stamp(read, nextcloud).title).toBe('Operation');
  });

  it('writes tier, scope and products, and the whole effect under one key', () => {
    const declaration = declare(shares('link', { secrets: ['url'] }), {
      scopes: ['shares:write', 'files:read'],
      produces: ['share_link'],
    });
    expect(stamp(declaration, plimsoll)._meta).toEqual({
      'x-side-effect': 'share_export',
      'x-required-scope': 'shares:write files:read',
      'x-produces': ['share_link'],
      'dev.plimsoll/effect': {
        act: 'share',
        object: 'link',
        tier: 'share_export',
        repeat: { kind: 'fresh' },
        reach: 'own-store',
        trace: 'log',
        secrets: ['url'],
        overwrites: false,
        reversible: true,
        modes: ['sandbox', 'live'],
      },
      'anthropic/requiresUserInteraction': true,
      'cursor/requiresConfirmation': true,
    });
  });

  it('makes hosts ask only on tiers that ask', () => {
    const meta = stamp(declare(creates('x')), plimsoll)._meta;
    expect(meta).not.toHaveProperty('anthropic/requiresUserInteraction');
    expect(meta).not.toHaveProperty('cursor/requiresConfirmation');
  });

  it('has no _meta in a convention that writes none', () => {
    expect(stamp(declare(reads('x')), closient)).not.toHaveProperty('_meta');
  });

  it('keeps the author’s reasons at home', () => {
    const effect = creates('hook', {
      tier: 'destructive',
      tierReason: 'private note',
      secrets: ['s'],
      secretsReason: 'another note',
    });
    expect(JSON.stringify(stamp(declare(effect), plimsoll))).not.toContain('note');
  });

  it('shows the worst case of an effect that depends on arguments, variations included', () => {
    const write = varies(
      creates('file', { repeat: 'same' }),
      { when: when('overwrite', true), effect: puts('file') },
      { when: when('action', 'delete'), effect: deletes('file', { repeat: 'fresh' }) },
    );
    const { annotations, _meta } = stamp(declare(write), plimsoll);
    expect(annotations).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: false,
    });
    expect(_meta).toMatchObject({
      'x-side-effect': 'destructive',
      'dev.plimsoll/effect': {
        varies: [
          { effect: { act: 'put' } },
          { when: { is: ['delete'] }, effect: { act: 'delete' } },
        ],
      },
    });
    expect(stamp(declare(write), geopera).annotations).toMatchObject({ destructiveHint: true });
  });

  it('R206: departs from the rule only by an exception, which keeps its reason', () => {
    const convention = withExceptions(nextcloud, [
      {
        operation: 'write_file',
        hints: { idempotentHint: false, destructiveHint: 'omit' },
        reason: 'Since 2026-03 a write is conditional and fails the second time.',
      },
    ]);
    const write = declare(puts('file'), { name: 'write_file' });
    expect(stamp(write, nextcloud).annotations.idempotentHint).toBe(true);
    expect(stamp(write, convention).annotations.idempotentHint).toBe(false);
    expect(stamp(declare(puts('file')), convention).annotations.idempotentHint).toBe(true);
    expect(convention.exceptions.at(-1)?.reason).toContain('conditional');
  });
});

describe('withExceptions', () => {
  const operation = 'op';

  it('refuses an exception without a reason', () => {
    const bare = [{ operation, hints: { readOnlyHint: true }, reason: ' ' }];
    expect(() => withExceptions(plimsoll, bare)).toThrow('needs a reason');
  });

  it('refuses a hint that is not a boolean', () => {
    const wrong = [
      { operation, hints: { readOnlyHint: 'yes' as unknown as boolean }, reason: 'x' },
    ];
    expect(() => withExceptions(plimsoll, wrong)).toThrow('must be true, false or');
  });

  it('refuses a hint that there is not', () => {
    const misspelled = [{ operation, hints: { readonlyHint: true } as object, reason: 'x' }];
    expect(() => withExceptions(plimsoll, misspelled)).toThrow('not one of the four hints');
  });

  it('R9: refuses read-only with destructive', () => {
    const both = [{ operation, hints: { readOnlyHint: true, destructiveHint: true }, reason: 'x' }];
    expect(() => withExceptions(plimsoll, both)).toThrow('read-only and destructive at once');
  });
});
