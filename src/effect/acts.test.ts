import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ACTS } from './act.ts';
import { creates, deletes, puts, sets, spends, updates, varies, when, BUILDERS } from './acts.ts';
import { worstTier } from './effect.ts';
import { narrowEffect } from './narrow-effect.ts';

describe('builders', () => {
  it('read as a sentence and give frozen data', () => {
    const effect = deletes('note', { repeat: 'end-state' });
    expect(effect).toMatchObject({
      act: 'delete',
      object: 'note',
      tier: 'destructive',
      repeat: { kind: 'end-state', result: 'differs' },
      reversible: false,
    });
    expect(Object.isFrozen(effect)).toBe(true);
    expect(Object.isFrozen(effect.secrets)).toBe(true);
  });

  it('R198: a spend names the operation that estimates it', () => {
    expect(spends('credits', { estimate: 'orders.archive.estimate' }).money).toEqual({
      moves: 'charge',
      unit: 'credits',
      estimate: 'orders.archive.estimate',
    });
  });

  it('exist for every act', () => {
    for (const [act, build] of Object.entries(BUILDERS)) expect(build('thing').act).toBe(act);
    expect(Object.keys(BUILDERS)).toEqual(Object.keys(ACTS));
  });

  it('R205: an update can require a version, take one, or know none', () => {
    expect(updates('note', { repeat: 'version-required' }).repeat).toEqual({
      kind: 'version',
      need: 'required',
    });
    expect(updates('note', { repeat: 'version-optional' }).repeat).toEqual({
      kind: 'version',
      need: 'optional',
    });
    expect(updates('note').repeat.kind).toBe('end-state');
  });
});

describe('effects that depend on arguments', () => {
  const write = varies(
    creates('file'),
    { when: when('overwrite', true), effect: puts('file') },
    { when: when('action', 'delete', 'purge'), effect: deletes('file') },
    { when: when('expires'), effect: sets('file expiry') },
  );

  it('narrow to what the arguments bring about', () => {
    expect(narrowEffect(write, {}).act).toBe('create');
    expect(narrowEffect(write, { overwrite: true }).act).toBe('put');
    expect(narrowEffect(write, { overwrite: false }).act).toBe('create');
    expect(narrowEffect(write, { action: 'purge' }).act).toBe('delete');
    expect(narrowEffect(write, { expires: '2027-01-01' }).act).toBe('set');
    expect(narrowEffect(write, { expires: null }).act).toBe('create');
  });

  it('take the gravest when several match, in any order of arguments', () => {
    expect(narrowEffect(write, { overwrite: true, action: 'delete' }).act).toBe('delete');
    expect(narrowEffect(write, { action: 'delete', overwrite: true }).act).toBe('delete');
  });

  it('count the gravest of all as the worst case', () => {
    expect(worstTier(write)).toBe('destructive');
  });

  it('never narrow beyond the worst case, whatever the arguments', () => {
    fc.assert(
      fc.property(
        fc.dictionary(
          fc.constantFrom('overwrite', 'action', 'expires', '__proto__'),
          fc.jsonValue(),
        ),
        (args) => {
          const acts = ['create', 'put', 'delete', 'set'];
          expect(acts).toContain(narrowEffect(write, args).act);
        },
      ),
    );
  });
});
