/**
 * What a person adds to a document: a table from operationId to facts. It comes from a file, so every
 * field is checked; a misspelled one must not vanish silently.
 */
import type { Act } from '../../effect/act.ts';
import { ACTS } from '../../effect/act.ts';
import type { Reach, Trace } from '../../effect/effect.ts';
import type { RepeatSpelling } from '../../effect/repeat.ts';
import type { Tier } from '../../effect/tier.ts';
import { isTier, TIER_NAMES } from '../../effect/tier.ts';
import { asObject, isTextList } from './reference.ts';

/** The acts of effects, and `estimate`: the read that says what a spend would cost. */
export type ProjectedAct = Act | 'estimate';

export interface OverlayEntry {
  /** No tool; a string says why. */
  readonly exclude?: boolean | string;
  readonly sideEffect?: Tier;
  readonly act?: ProjectedAct;
  /** What the act is done to; for what moves money, what is counted. */
  readonly object?: string;
  readonly title?: string;
  /** Several as a list, or separated by spaces; all are required. */
  readonly scope?: string | readonly string[];
  readonly produces?: readonly string[];
  readonly repeat?: RepeatSpelling;
  readonly reach?: Reach;
  readonly trace?: Trace;
  readonly overwrites?: boolean;
  readonly reversible?: boolean;
  /** The operation that estimates the price of this one. */
  readonly estimate?: string;
  /** Credits are set aside now and charged later. */
  readonly reserves?: boolean;
  /** Result fields that are shown once. */
  readonly secrets?: readonly string[];
  readonly secretsReason?: string;
}

export type Overlay = Readonly<Record<string, OverlayEntry>>;

/* oxfmt-ignore */
const REPEATS: Readonly<Record<RepeatSpelling, true>> = {
  same: true, 'end-state': true, 'key-required': true, 'key-optional': true, 'key-derived': true,
  'version-required': true, 'version-optional': true, fresh: true,
};
/* oxfmt-ignore */
const REACHES: Readonly<Record<Reach, true>> = {
  none: true, 'own-store': true, 'own-account': true, 'vendor-data': true, 'third-party': true,
  'user-url': true,
};
const TRACES: Readonly<Record<Trace, true>> = { nothing: true, log: true, audit: true };

interface Field {
  readonly fits: (value: unknown) => boolean;
  readonly wants: string;
}

const text: Field = {
  fits: (value) => typeof value === 'string' && value.trim() !== '',
  wants: 'a string',
};
const flag: Field = { fits: (value) => typeof value === 'boolean', wants: 'true or false' };
const texts: Field = { fits: isTextList, wants: 'a list of strings' };
const textOr = ({ fits, wants }: Field): Field => ({
  fits: (value) => text.fits(value) || fits(value),
  wants: `a string, or ${wants}`,
});
const oneOf = (names: readonly string[]): Field => ({
  fits: (value) => typeof value === 'string' && names.includes(value),
  wants: `one of ${names.join(', ')}`,
});

const FIELDS: Readonly<Record<keyof OverlayEntry, Field>> = {
  exclude: textOr(flag),
  sideEffect: { fits: isTier, wants: `one of ${TIER_NAMES.join(', ')}` },
  act: oneOf([...Object.keys(ACTS), 'estimate']),
  object: text,
  title: text,
  scope: textOr(texts),
  produces: texts,
  repeat: oneOf(Object.keys(REPEATS)),
  reach: oneOf(Object.keys(REACHES)),
  trace: oneOf(Object.keys(TRACES)),
  overwrites: flag,
  reversible: flag,
  estimate: text,
  reserves: flag,
  secrets: texts,
  secretsReason: text,
};

/** The errors of one entry, one sentence each. */
export function checkOverlayEntry(value: unknown): readonly string[] {
  const entry = asObject(value);
  if (entry === undefined) return ['Its entry in the overlay is not an object; write fields.'];
  return Object.entries(entry).flatMap(([name, said]) => {
    const shown = JSON.stringify(name.slice(0, 60));
    if (!isField(name)) {
      const known = Object.keys(FIELDS).join(', ');
      return [`The overlay has the unknown field ${shown}; write one of ${known}.`];
    }
    const { fits, wants } = FIELDS[name];
    return fits(said) ? [] : [`The overlay's ${shown} is invalid; write ${wants}.`];
  });
}

function isField(name: string): name is keyof OverlayEntry {
  return Object.hasOwn(FIELDS, name);
}
