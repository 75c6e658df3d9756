import { describe, expect, it } from 'vitest';
import { narrowEffect } from '../effect.ts';
import type { Tier } from '../tier.ts';
import { readTool } from './read-tool.ts';
import type { Trust } from './trust.ts';

function tierOf(
  name: string,
  properties: object,
  args: Record<string, unknown>,
  trust: Trust = {},
): Tier {
  const reading = readTool({ name, inputSchema: { type: 'object', properties } }, trust);
  return narrowEffect(reading.effect, args).tier;
}

describe('a parameter that chooses the act', () => {
  const properties = { action: { enum: ['get', 'rename', 'delete', 'frobnicate'] }, id: {} };

  it('asks in the worst case, and a call is as grave as its value', () => {
    expect(readTool({ name: 'manage_note', inputSchema: { properties } }).asks).toBe(true);
    expect(tierOf('manage_note', properties, { action: 'get' })).toBe('read');
    expect(tierOf('manage_note', properties, { action: 'rename' })).toBe('compute');
    expect(tierOf('manage_note', properties, { action: 'delete' })).toBe('destructive');
  });

  it('missing, unlisted or unreadable, it counts as the worst', () => {
    for (const args of [
      {},
      { action: null },
      { action: 'GET' },
      { action: 'frobnicate' },
      { action: ['get'] },
    ])
      expect(tierOf('manage_note', properties, args)).toBe('destructive');
  });

  it('takes nothing away from what name or other parameters tell', () => {
    expect(tierOf('delete_note', properties, { action: 'get' })).toBe('destructive');
    const paid = { ...properties, payment_method: {} };
    expect(tierOf('manage_note', paid, { action: 'get' })).toBe('external_spend');
    const two = { ...properties, operation: { enum: ['list', 'purge'] } };
    expect(tierOf('manage_note', two, { action: 'get' })).toBe('destructive');
  });

  it('inside another argument it narrows nothing', () => {
    const nested = { options: { properties } };
    expect(tierOf('manage_note', nested, { options: { action: 'get' }, action: 'get' })).toBe(
      'destructive',
    );
  });

  it('is read in names of methods, too', () => {
    const methods = { method: { enum: ['get_run', 'rerun_run', 'delete_run_logs'] } };
    expect(tierOf('runs', methods, { method: 'get_run' })).toBe('read');
    expect(tierOf('runs', methods, { method: 'delete_run_logs' })).toBe('destructive');
  });

  it('a claim, a pin or evidence that set the tier is not narrowed', () => {
    const trust = { evidence: { tier: 'destructive', calls: 1 } } as const;
    const mild = { action: { enum: ['get', 'rename'] } };
    expect(tierOf('manage_note', mild, { action: 'get' })).toBe('read');
    expect(tierOf('manage_note', mild, { action: 'get' }, trust)).toBe('destructive');
    expect(
      tierOf('manage_note', properties, { action: 'get' }, { pin: { tier: 'destructive' } }),
    ).toBe('destructive');
  });
});

describe('switches', () => {
  const overwrite = { name: {}, overwrite: { type: 'boolean' } };

  it('count as on unless they are off', () => {
    expect(tierOf('create_page', overwrite, { overwrite: true })).toBe('destructive');
    expect(tierOf('create_page', overwrite, {})).toBe('destructive');
    expect(tierOf('create_page', overwrite, { overwrite: false })).toBe('compute');
  });

  it('a rehearsal is believed of a trusted server only', () => {
    const rehearsal = { id: {}, dry_run: { type: 'boolean' } };
    expect(tierOf('delete_note', rehearsal, { dry_run: true })).toBe('destructive');
    expect(tierOf('delete_note', rehearsal, { dry_run: true }, { trusted: true })).toBe('read');
    expect(tierOf('delete_note', rehearsal, { dry_run: false }, { trusted: true })).toBe(
      'destructive',
    );
    expect(tierOf('delete_note', rehearsal, {}, { trusted: true })).toBe('destructive');
  });
});
