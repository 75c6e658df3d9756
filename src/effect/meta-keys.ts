/**
 * Every `_meta` key that Plimsoll reads or writes, in one place.
 * `docs/meta-keys.md` is generated from this table.
 */

export type MetaField =
  | 'sideEffect'
  | 'requiredScope'
  | 'produces'
  | 'effect'
  | 'claudeAsks'
  | 'cursorAsks';

/** Keys on a call or its result, not on a tool. */
export type CallMetaField = 'idempotencyKey' | 'replayed' | 'problem' | 'mismatch';

interface MetaKey {
  readonly key: string;
  readonly value: string;
  readonly meaning: string;
}

export const META_KEYS: Readonly<Record<MetaField, MetaKey>> = Object.freeze({
  sideEffect: {
    key: 'x-side-effect',
    value: 'one of the five tiers',
    meaning:
      'The tier. Where the effect depends on arguments, the gravest tier that any arguments reach.',
  },
  requiredScope: {
    key: 'x-required-scope',
    value: 'string; several scopes are separated by spaces and all are required',
    meaning: 'The scopes a caller must hold, so that a client can predict a refusal.',
  },
  produces: {
    key: 'x-produces',
    value: 'list of strings',
    meaning: 'The kinds of things that a call creates.',
  },
  effect: {
    key: 'dev.plimsoll/effect',
    value: 'object',
    meaning:
      'The whole declared effect: act, tier, repeat, reach, trace, money, secrets and variations.',
  },
  claudeAsks: {
    key: 'anthropic/requiresUserInteraction',
    value: 'true',
    meaning: 'Claude Code asks a person before every call. Only on tiers that ask.',
  },
  cursorAsks: {
    key: 'cursor/requiresConfirmation',
    value: 'true',
    meaning: 'Cursor asks a person before every call. Only on tiers that ask.',
  },
});

export const CALL_META_KEYS: Readonly<Record<CallMetaField, MetaKey>> = Object.freeze({
  idempotencyKey: {
    key: 'dev.plimsoll/idempotency-key',
    value: '16 to 255 letters, digits or _.:-',
    meaning: 'On a call: the idempotency key, for clients that can set `_meta` but not headers.',
  },
  replayed: {
    key: 'dev.plimsoll/replayed',
    value: 'true',
    meaning: 'On a result: it is the answer of an earlier run under the same key; nothing ran.',
  },
  problem: {
    key: 'dev.plimsoll/problem',
    value: 'object',
    meaning:
      'On a refusal: the problem, also where the tool declares an output schema that structured content would have to fit.',
  },
  mismatch: {
    key: 'dev.plimsoll/mismatch',
    value: 'true',
    meaning:
      'On content of a result: the work was done, but the API behind the tool gave an answer that its document does not describe. The answer is in the content as it came.',
  },
});
