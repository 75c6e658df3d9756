/**
 * Every way that calls under one key can interleave, crash, be delayed and misheard, with the real
 * key record machine. The searches are complete: nothing but the number of workers is bounded, and each
 * worker sends at most once.
 */
import { describe, expect, it } from 'vitest';
import { keyRecordModel } from './key-record-model.ts';
import { search } from './search.ts';
import type { Setting } from './setting.ts';
import { settingOf } from './setting.ts';

const TIMEOUT = 300_000;

function explore(effectClass: Setting['effectClass'], changes: Partial<Setting> = {}) {
  return search(keyRecordModel(settingOf(effectClass, changes)));
}

const ALWAYS = [
  'reserves the key',
  'takes over',
  'releases',
  'in-flight',
  'replay',
  'key-expired',
  'the keeper writes an early end of the lease',
];
const SENT = ['dispatches', 'settles SUCCEEDED', 'settles FAILED_FINAL'];
const UNKNOWN = [
  'the keeper writes UNKNOWN',
  'gives up for the owner',
  'outcome-unknown',
  'amends',
];
const ASKED = ['the keeper writes SUCCEEDED', 'the keeper writes FAILED_FINAL'];
const TOMBSTONE = 'the keeper writes TOMBSTONE';

const REACHED = {
  local: [...ALWAYS, TOMBSTONE, 'does it and settles', 'refuses and settles'],
  opaque: [...ALWAYS, TOMBSTONE, ...SENT, ...UNKNOWN, 'doubts'],
  lookup: [...ALWAYS, TOMBSTONE, ...SENT, ...UNKNOWN, ...ASKED, 'doubts'],
  dedup: [...ALWAYS, TOMBSTONE, ...SENT, ...UNKNOWN, ...ASKED, 'doubts', 'takes over to resend'],
} as const;

describe('three calls under one key never have a second effect, nor an untrue record', () => {
  it.each([
    { effectClass: 'local', states: 3111 },
    { effectClass: 'opaque', states: 37_784 },
    { effectClass: 'lookup', states: 115_011 },
    { effectClass: 'dedup', states: 418_952 },
  ] as const)(
    '$effectClass, in all of $states states',
    ({ effectClass, states }) => {
      const finding = explore(effectClass);
      expect(finding.counterexample).toBeUndefined();
      expect(finding.states).toBeGreaterThanOrEqual(states);
      expect(finding.marks).toEqual(new Set<string>(REACHED[effectClass]));
    },
    TIMEOUT,
  );
});

describe('nor do two calls whose commits, unheard of, come through at any later time', () => {
  it.each([
    { effectClass: 'local', states: 5678 },
    { effectClass: 'opaque', states: 39_984 },
    { effectClass: 'lookup', states: 119_815 },
    { effectClass: 'dedup', states: 156_923 },
  ] as const)(
    '$effectClass, in all of $states states',
    ({ effectClass, states }) => {
      const finding = explore(effectClass, { workers: 2, hasStragglers: true });
      expect(finding.counterexample).toBeUndefined();
      expect(finding.states).toBeGreaterThanOrEqual(states);
    },
    TIMEOUT,
  );
});

describe('a partner that keeps a refusal as the answer to a key', () => {
  it('may settle a resend by it: two calls, in all of 24892 states', () => {
    const changes = { workers: 2, refusals: 'by-key', doubtsRefusedResend: false } as const;
    const finding = explore('dedup', changes);
    expect(finding.counterexample).toBeUndefined();
    expect(finding.states).toBeGreaterThanOrEqual(24_892);
  });
});
