import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import type { InferredEffect } from '../../effect/infer/infer-effect.ts';
import { inferEffect } from '../../effect/infer/infer-effect.ts';
import type { Lock, Acceptance, PinEntry } from './lock.ts';
import {
  EMPTY_LOCK,
  toLockText,
  withPins,
  readLockFile,
  writeLockFile,
  toPinEntry,
  readLock,
} from './lock.ts';
import type { Pins } from './pins.ts';
import { openPins } from './pins.ts';

const scratch = mkdtempSync(join(tmpdir(), 'plimsoll-pins-'));
const path = join(scratch, 'plimsoll.lock.json');

afterAll(() => rmSync(scratch, { recursive: true }));
beforeEach(() => rmSync(path, { force: true }));

const get = {
  name: 'get_note',
  description: 'Returns a note.',
  annotations: { readOnlyHint: true },
};
const add = { name: 'add_note', description: 'Adds a note.' };

function pin(tool: unknown, more: Partial<Acceptance> = {}): PinEntry {
  const entry = toPinEntry(tool, { by: 'mia', at: new Date(0), ...more });
  if (entry === undefined) throw new Error('the tool of the test is not whole');
  return entry;
}

function lockOf(...tools: readonly { readonly name: string }[]): Lock {
  return withPins(EMPTY_LOCK, 'notes', new Map(tools.map((tool) => [tool.name, pin(tool)])));
}

describe('the lock file', () => {
  it('is the same bytes for the same pins, whatever their order', async () => {
    await writeLockFile(path, lockOf(get, add));
    const text = readFileSync(path, 'utf8');
    expect(text).toBe(toLockText(lockOf(add, get)));
    expect(text.endsWith('}\n')).toBe(true);
    expect(text.indexOf('add_note')).toBeLessThan(text.indexOf('get_note'));
    expect(text.indexOf('"destructiveHint"')).toBeLessThan(text.indexOf('"readOnlyHint"'));
    expect(statSync(path).mode & 0o777).toBe(0o644);
    expect(readdirSync(scratch)).toEqual(['plimsoll.lock.json']);
  });

  it('reads back what was written, names like __proto__ included', async () => {
    const odd = { name: '__proto__', description: 'Returns.' };
    const lock = withPins(
      lockOf(get),
      'constructor',
      new Map([
        [odd.name, pin(odd, { tier: 'destructive', evidence: { tier: 'read', calls: 9 } })],
      ]),
    );
    await writeLockFile(path, lock);
    expect(readLockFile(path)).toEqual({ kind: 'lock', lock });
  });

  it('without a file has no pins', () => {
    expect(readLockFile(path)).toEqual({ kind: 'lock', lock: EMPTY_LOCK });
  });

  const entry = JSON.parse(JSON.stringify(pin(get))) as Record<string, unknown>;
  const withEntry = (change: object): string =>
    JSON.stringify({ version: 1, servers: { a: { tools: { b: { ...entry, ...change } } } } });

  it.each([
    ['no JSON', '{', ''],
    ['a key twice', '{"version":1,"version":1,"servers":{}}', ''],
    ['another version', '{"version":2,"servers":{}}', '/version'],
    ['no servers', '{"version":1}', '/servers'],
    ['an unknown member', '{"version":1,"servers":{},"extra":1}', '/extra'],
    ['no tools', '{"version":1,"servers":{"a":{}}}', '/servers/a/tools'],
    ['no tier', withEntry({ tier: 'harmless' }), '/servers/a/tools/b/tier'],
    ['no act', withEntry({ act: 'toString' }), '/servers/a/tools/b/act'],
    ['a hint unsaid', withEntry({ hints: {} }), '/servers/a/tools/b/hints/readOnlyHint'],
    ['stated false', withEntry({ stated: false }), '/servers/a/tools/b/stated'],
    ['an odd switch', withEntry({ dryRun: true }), '/servers/a/tools/b/dryRun'],
    ['a hash of nothing', withEntry({ definition: 'sha256:00' }), '/servers/a/tools/b/definition'],
    ['another text', withEntry({ definitionText: '{}' }), '/servers/a/tools/b/definitionText'],
    ['no date', withEntry({ acceptedAt: 'today' }), '/servers/a/tools/b/acceptedAt'],
    ['nobody', withEntry({ acceptedBy: ' ' }), '/servers/a/tools/b/acceptedBy'],
    ['odd evidence', withEntry({ evidence: { tier: 'read' } }), '/servers/a/tools/b/evidence'],
  ])('with %s is a fault with its place', (_, text, pointer) => {
    const reading = readLock(text);
    expect(reading.kind === 'faults' && reading.faults.map((fault) => fault.pointer)).toContain(
      pointer,
    );
    writeFileSync(path, text);
    expect(() => openPins(path)).toThrow(TypeError);
  });

  it('takes the entry that the faults above were made from', () => {
    expect(readLock(withEntry({})).kind).toBe('lock');
  });
});

describe('checking a list', () => {
  it('tells same, riskier, safer and new, and holds back only the riskier', async () => {
    await writeLockFile(path, lockOf(get, add));
    const checks = openPins(path).check('notes', [
      { ...get, annotations: {} },
      { ...add, annotations: { destructiveHint: false } },
      { name: 'list_notes' },
      { description: 'has no name' },
    ]);
    expect(
      [...checks].map(([name, { drift, quarantined }]) => [name, drift.kind, quarantined]),
    ).toEqual([
      ['get_note', 'riskier', true],
      ['add_note', 'safer', false],
      ['list_notes', 'new', false],
    ]);
  });

  it('knows a tool again under another name', async () => {
    await writeLockFile(path, lockOf(get, add));
    const checks = openPins(path).check('notes', [
      { ...get, name: 'fetch_note' },
      { ...add, name: 'delete_note' },
      add,
    ]);
    expect(checks.get('fetch_note')).toMatchObject({
      drift: { kind: 'renamed', from: 'get_note' },
      quarantined: false,
    });
    expect(checks.get('delete_note')?.drift.kind).toBe('new'); // add_note is still there
    const swapped = openPins(path).check('notes', [{ ...add, name: 'delete_note' }]);
    expect(swapped.get('delete_note')).toMatchObject({
      drift: { kind: 'renamed', from: 'add_note' },
      quarantined: true,
    });
  });

  it('of two tools with one name counts the worse', async () => {
    await writeLockFile(path, lockOf(get));
    const pins = openPins(path);
    const worse = { ...get, annotations: {} };
    expect(pins.check('notes', [get, worse]).get('get_note')?.quarantined).toBe(true);
    expect(pins.check('notes', [worse, get]).get('get_note')?.quarantined).toBe(true);
  });

  it('goes by what was accepted while it was open, and by the last good file', async () => {
    await writeLockFile(path, lockOf(get));
    const pins = openPins(path);
    const worse = { ...get, annotations: {} };
    expect(pins.check('notes', [worse]).get('get_note')?.quarantined).toBe(true);
    await writeLockFile(path, lockOf(worse));
    expect(pins.check('notes', [worse]).get('get_note')?.quarantined).toBe(false);
    writeFileSync(path, '{}');
    expect(pins.check('notes', [get]).get('get_note')?.drift.kind).toBe('safer');
    rmSync(path);
    expect(pins.check('notes', [get]).get('get_note')?.drift.kind).toBe('safer');
  });

  it('pins of one server say nothing about another', async () => {
    await writeLockFile(path, lockOf(get));
    expect(openPins(path).check('other', [get]).get('get_note')?.drift.kind).toBe('new');
  });
});

describe('what a pin adds to an inferred effect', () => {
  it('is the tier only where a person stated it', async () => {
    const wipe = { name: 'wipe_cache', description: 'Wipes the cache.' };
    const stated = new Map([['wipe_cache', pin(wipe, { tier: 'compute' })]]);
    await writeLockFile(path, withPins(lockOf(get), 'notes', stated));
    const pins = openPins(path);
    expect(pins.trustOf('notes', 'get_note')).toEqual({});
    expect(pins.trustOf('notes', 'unknown')).toEqual({});
    expect(inferEffect(wipe).asks).toBe(true);
    expect(inferEffect(wipe, pins.trustOf('notes', 'wipe_cache'))).toMatchObject({
      asks: false,
      effect: { tier: 'compute' },
    });
    expect(pins.pinOf('notes', 'wipe_cache')?.stated).toBe(true);
  });
});

describe('a lock that nobody named', () => {
  const wipe = { name: 'wipe_cache', description: 'Wipes the cache.' };
  const found = join(scratch, 'found.lock.json');
  const toLock = (tool: object, more: object): Lock =>
    withPins(EMPTY_LOCK, 'notes', new Map([['wipe_cache', { ...pin(tool), ...more }]]));
  const read = (pins: Pins): InferredEffect =>
    inferEffect(wipe, { trusted: false, ...pins.trustOf('notes', 'wipe_cache') });

  it('lowers nothing, and raises what it says is graver', async () => {
    await writeLockFile(path, toLock(wipe, { stated: true, tier: 'compute' }));
    await writeLockFile(found, toLock(wipe, { stated: true, tier: 'read' }));
    expect(read(openPins(path, found)).effect.tier).toBe('compute');
    await writeLockFile(found, toLock(wipe, { stated: true, tier: 'external_spend' }));
    expect(read(openPins(path, found)).effect.tier).toBe('external_spend');
    await writeLockFile(found, toLock(wipe, { evidence: { tier: 'share_export', calls: 1 } }));
    expect(read(openPins(path, found))).toMatchObject({
      asks: true,
      effect: { tier: 'share_export' },
    });
    rmSync(path);
    await writeLockFile(found, toLock(wipe, { stated: true, tier: 'read' }));
    expect(read(openPins(path, found))).toEqual(inferEffect(wipe));
  });

  it('holds a tool back that the other lock accepts', async () => {
    const worse = { ...wipe, inputSchema: { properties: { path: {} } } };
    await writeLockFile(path, toLock(worse, {}));
    await writeLockFile(found, toLock(wipe, {}));
    const isHeldBack = (pins: Pins): boolean =>
      pins.isHeldBack('notes', 'wipe_cache', worse, () => [worse]);
    expect(isHeldBack(openPins(path))).toBe(false);
    const pins = openPins(path, found);
    expect(isHeldBack(pins)).toBe(true);
    const before = pins.version(true);
    await writeLockFile(found, toLock(worse, {}));
    expect(pins.version(true)).toBeGreaterThan(before);
    expect(isHeldBack(pins)).toBe(false);
  });
});
