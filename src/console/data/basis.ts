/** How it is known what a tool does: whose word or which look decided its tier. */
import type { ReasonCode } from '../../effect/reading/reason.ts';
import type { Reading } from '../../effect/reading/read-tool.ts';

export type Basis = 'claimed' | 'read' | 'observed' | 'pinned';

export const BASES: Readonly<Record<Basis, string>> = Object.freeze({
  pinned: 'A person stated it when they accepted the tool.',
  observed: 'Calls were watched, and this is what they did.',
  claimed: 'The server says so, and is believed.',
  read: 'It was read off the name, the description and the parameters.',
});

export function isBasis(value: unknown): value is Basis {
  return typeof value === 'string' && Object.hasOwn(BASES, value);
}

const BY_CODE: ReadonlyMap<ReasonCode | undefined, Basis> = new Map([
  ['pinned', 'pinned'],
  ['observed', 'observed'],
  ['declared', 'claimed'],
  ['claim-raises', 'claimed'],
]);

/** What decided stands first among the reasons. */
export function basisOf({ reasons: [first] }: Reading, trusted: boolean): Basis {
  // A stranger's promise counts only where what was seen bears it out.
  if (first?.code === 'claim-lowers') return trusted ? 'claimed' : 'observed';
  return BY_CODE.get(first?.code) ?? 'read';
}
