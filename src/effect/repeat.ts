/**
 * What a second identical call does. End state and result are distinct: a second delete leaves the same
 * state but returns another answer. A repeat can be safe in several ways at once; the strictest contract
 * comes first and holds the others.
 */

export type Repeat =
  | { readonly kind: 'end-state'; readonly result: 'same' | 'differs' }
  | {
      readonly kind: 'key';
      readonly need: 'required' | 'optional' | 'derived';
      readonly also?: readonly LesserRepeat[];
    }
  | {
      readonly kind: 'version';
      readonly need: 'required' | 'optional';
      readonly also?: readonly LesserRepeat[];
    }
  | { readonly kind: 'fresh' };

/** A contract that holds beside a stricter one: for a call without the key, or by nature. */
type LesserRepeat =
  | Extract<Repeat, { readonly kind: 'end-state' }>
  | { readonly kind: 'version'; readonly need: 'required' | 'optional' };

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

/** One contract, or several that hold at once. */
export function repeat(spelling: RepeatSpelling | readonly RepeatSpelling[]): Repeat {
  if (typeof spelling !== 'string') return joinContracts(spelling.map((one) => repeat(one)));
  // Builders validate nothing: a spelling that only a cast lets through is found at registration.
  if (!Object.hasOwn(SPELLINGS, spelling)) return { kind: spelling } as unknown as Repeat;
  return Object.freeze(SPELLINGS[spelling]);
}

/** The strictest first; which ones can go together is checked at registration. */
export function joinContracts(contracts: readonly Repeat[]): Repeat {
  const [first = SPELLINGS.fresh, ...rest] = contracts.toSorted(
    (a, b) => strictness(b) - strictness(a),
  );
  if (rest.length === 0) return first;
  return Object.freeze({ ...first, also: Object.freeze(rest) }) as Repeat;
}

/** Every contract of a repeat, the strictest first. */
export function contractsOf(contract: Repeat): readonly Repeat[] {
  const { also = [] } = contract as { readonly also?: readonly Repeat[] };
  return also.length === 0 ? [contract] : [alone(contract), ...also];
}

/** For what came past the types. */
export function isRepeat(value: Repeat): boolean {
  const known = Object.values(SPELLINGS).map((one) => JSON.stringify(one));
  return contractsOf(value).every((one) => known.includes(JSON.stringify(one)));
}

/** Whether the contracts can hold at once: each kind once, and none beside a new effect every time. */
export function agrees(contract: Repeat): boolean {
  const kinds = contractsOf(contract).map(({ kind }) => kind);
  return new Set(kinds).size === kinds.length && (kinds.length === 1 || !kinds.includes('fresh'));
}

/** Whether the same arguments alone, without key or version, leave the same state as one call. */
export function settlesByNature(contract: Repeat): boolean {
  return contractsOf(contract).some(({ kind }) => kind === 'end-state');
}

/** Whether repeating the call leaves the same state as one call. */
export function settles(contract: Repeat): boolean {
  return contract.kind !== 'fresh';
}

/**
 * The contract to enforce on a call that has both: a key covers the whole call, whatever else it does.
 * Beside it only what both promise still holds.
 */
export function strictestRepeat(a: Repeat, b: Repeat): Repeat {
  const [stricter, other] = strictness(a) >= strictness(b) ? [a, b] : [b, a];
  const lesser = contractsOf(stricter).slice(1);
  if (lesser.length === 0) return stricter;
  const kept = lesser.flatMap((one) => {
    const same = contractsOf(other).find(({ kind }) => kind === one.kind);
    return same === undefined ? [] : [strictness(same) > strictness(one) ? same : one];
  });
  return joinContracts([alone(stricter), ...kept]);
}

function alone(contract: Repeat): Repeat {
  const { also: _, ...only } = contract as Repeat & { readonly also?: unknown };
  return only;
}

const KEY_STRICTNESS = { optional: 5, derived: 6, required: 7 } as const;

/** What only a cast let through comes last. */
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
    default:
      return -1;
  }
}
