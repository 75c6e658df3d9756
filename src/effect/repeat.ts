/**
 * What a second identical call does. End state and result are distinct: a second delete leaves the same
 * state but returns another answer.
 */

export type Repeat =
  | { readonly kind: 'end-state'; readonly result: 'same' | 'differs' }
  | { readonly kind: 'key'; readonly need: 'required' | 'optional' | 'derived' }
  | { readonly kind: 'version'; readonly need: 'required' | 'optional' }
  | { readonly kind: 'fresh' };

/** How a repeat contract is written in a declaration. */
export type RepeatSpelling =
  /** Same end state, same answer. */
  | 'same'
  /** Same end state; the answer may differ (a 404 on the second delete). */
  | 'end-state'
  | 'key-required'
  | 'key-optional'
  /** The server makes the key from the content when the caller gives none. */
  | 'key-derived'
  | 'version-required'
  | 'version-optional'
  /** A new effect every time. */
  | 'fresh';

const SPELLINGS: Readonly<Record<RepeatSpelling, Repeat>> = {
  same: { kind: 'end-state', result: 'same' },
  'end-state': { kind: 'end-state', result: 'differs' },
  'key-required': { kind: 'key', need: 'required' },
  'key-optional': { kind: 'key', need: 'optional' },
  'key-derived': { kind: 'key', need: 'derived' },
  'version-required': { kind: 'version', need: 'required' },
  'version-optional': { kind: 'version', need: 'optional' },
  fresh: { kind: 'fresh' },
};

export function repeat(spelling: RepeatSpelling): Repeat {
  // Builders validate nothing: a spelling that only a cast lets through is found at registration.
  if (!Object.hasOwn(SPELLINGS, spelling)) return { kind: spelling } as unknown as Repeat;
  return Object.freeze(SPELLINGS[spelling]);
}

/** For what came past the types. */
export function isRepeat(value: Repeat): boolean {
  const text = JSON.stringify(value);
  return Object.values(SPELLINGS).some((one) => JSON.stringify(one) === text);
}

/** Whether repeating the call leaves the same state as one call. */
export function settles(contract: Repeat): boolean {
  return contract.kind !== 'fresh';
}

/** The contract to enforce on a call that has both: a key covers the whole call, whatever else it does. */
export function strictestRepeat(a: Repeat, b: Repeat): Repeat {
  return strictness(a) >= strictness(b) ? a : b;
}

const KEY_STRICTNESS = { optional: 5, derived: 6, required: 7 } as const;

function strictness(contract: Repeat): number {
  switch (contract.kind) {
    case 'end-state':
      return contract.result === 'same' ? 0 : 1;
    case 'version':
      return contract.need === 'required' ? 2 : 3;
    case 'fresh':
      return 4;
    case 'key':
      return KEY_STRICTNESS[contract.need];
  }
}
