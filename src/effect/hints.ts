/**
 * The four boolean hints of MCP tool annotations, their defaults when unset, and how the hints of
 * several possible effects combine into one honest claim.
 */

export type HintName = 'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint';

/** An absent hint is unset, not false. */
export type Hints = Readonly<Partial<Record<HintName, boolean>>>;

export const HINT_NAMES: readonly HintName[] = Object.freeze([
  'readOnlyHint',
  'destructiveHint',
  'idempotentHint',
  'openWorldHint',
]);

export function isHintName(name: string): name is HintName {
  return (HINT_NAMES as readonly string[]).includes(name);
}

/** What a client must assume for an unset hint. */
export const HINT_DEFAULTS: Readonly<Record<HintName, boolean>> = Object.freeze({
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: false,
  openWorldHint: true,
});

/** A claim of this value promises safety; the other value warns. */
const SAFE_CLAIM: Readonly<Record<HintName, boolean>> = Object.freeze({
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
});

/** The hints that hold for every one of several effects: a promise is kept only if all make it. */
export function worstHints(all: readonly Hints[]): Hints {
  const worst: Partial<Record<HintName, boolean>> = {};
  for (const name of HINT_NAMES) {
    const said = all.map((hints) => hints[name]);
    const warning = !SAFE_CLAIM[name];
    if (said.includes(warning)) worst[name] = warning;
    else if (!said.includes(undefined)) worst[name] = SAFE_CLAIM[name];
  }
  return Object.freeze(worst);
}
