import { HINT_DEFAULTS, HINT_NAMES } from '../../effect/hints.ts';
import { inferEffect } from '../../effect/infer/infer-effect.ts';
import { META_KEYS } from '../../effect/meta-keys.ts';
import { TIERS, isTier } from '../../effect/tier.ts';
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import { compareParameters } from './compare-parameters.ts';
import { compareTexts } from './compare-texts.ts';
import type { PinEntry } from './lock.ts';
import type { FullHints, JsonRecord } from './tool-definition.ts';
import { hashText, hintsOf, own, toDefinition, toRecord } from './tool-definition.ts';
import type { Direction, DriftChange } from './drift-change.ts';
import { toPointer } from './drift-change.ts';

export type Drift =
  | { readonly kind: 'same' }
  | { readonly kind: Direction; readonly changes: readonly DriftChange[] };

/** One change for the worse outweighs any number for the better. */
function toDrift(changes: readonly DriftChange[]): Drift {
  const has = (direction: Direction): boolean =>
    changes.some((change) => change.direction === direction);
  const kind = has('riskier') ? 'riskier' : has('safer') ? 'safer' : 'neutral';
  return Object.freeze({ kind, changes: Object.freeze([...changes]) });
}

/**
 * Tells whether a tool is still the one that was accepted and, if not, whether it got safer, riskier or
 * neither. Pure. What cannot be compared counts as riskier.
 */
type Pinned = Pick<PinEntry, 'definition' | 'hints' | 'definitionText'>;

export function classifyDrift(pinned: Pinned, tool: unknown): Drift {
  const { definition: after, whole, written } = toDefinition(tool);
  if (!whole) return toDrift([riskier('unreadable', 'part of the definition is not JSON')]);
  if (hashText(toCanonicalJson(after)) === pinned.definition) return { kind: 'same' };
  const before = toAccepted(pinned);
  if (before === undefined) {
    const text = 'the definition changed, and the accepted text was not kept';
    return toDrift([
      ...compareHints(pinned.hints, hintsOf(after), written),
      riskier('not-comparable', text),
    ]);
  }
  return toDrift(compareDefinitions(before, after, written));
}

/** Only a text that the hash vouches for. */
function toAccepted({ definition, definitionText }: Pinned): JsonRecord | undefined {
  if (definitionText === undefined || hashText(definitionText) !== definition) return undefined;
  try {
    return toRecord(JSON.parse(definitionText));
  } catch {
    return undefined;
  }
}

function compareDefinitions(
  before: JsonRecord,
  after: JsonRecord,
  written: JsonRecord,
): readonly DriftChange[] {
  const changes = [
    ...compareNames(before, after),
    ...compareInferred(before, after),
    ...compareHints(hintsOf(before), hintsOf(after), written, toRecord(own(before, 'annotations'))),
    ...compareClaims(before, after),
    ...compareParameters(own(before, 'inputSchema'), own(after, 'inputSchema')),
    ...compareTexts(before, after),
  ];
  return [...changes, ...compareRest(before, after, changes)];
}

function compareNames(before: JsonRecord, after: JsonRecord): readonly DriftChange[] {
  if (own(before, 'name') === own(after, 'name')) return [];
  return [{ code: 'name', direction: 'neutral', pointer: '/name', text: 'the name changed' }];
}

function compareInferred(before: JsonRecord, after: JsonRecord): readonly DriftChange[] {
  const old = inferEffect(before);
  const now = inferEffect(after);
  const step = TIERS[now.effect.tier].severity - TIERS[old.effect.tier].severity;
  if (step === 0) return [];
  const why = now.reasons[0]?.text ?? 'the text changed';
  const text = `it reads as ${now.effect.tier}, no longer as ${old.effect.tier}: ${why}`;
  return [{ code: 'tier', direction: step > 0 ? 'riskier' : 'safer', pointer: '', text }];
}

function compareHints(
  before: FullHints,
  after: FullHints,
  written: JsonRecord,
  old?: JsonRecord,
): readonly DriftChange[] {
  return HINT_NAMES.filter((name) => before[name] !== after[name]).map((name) => ({
    code: 'hint',
    // What must be assumed of silence is, for each hint, the worst.
    direction: after[name] === HINT_DEFAULTS[name] ? 'riskier' : 'safer',
    pointer: `/annotations/${name}`,
    // What a tool has because it is read-only was never written, so it cannot have been removed.
    text:
      own(old, name) === before[name] && own(written, name) === undefined
        ? `${name}: ${before[name]} was removed; the default is ${after[name]}`
        : `${name} went from ${before[name]} to ${after[name]}`,
  }));
}

/** What has no meaning of its own here, so that no change goes unnamed. */
function compareRest(
  before: JsonRecord,
  after: JsonRecord,
  named: readonly DriftChange[],
): readonly DriftChange[] {
  return ['title', 'description', 'inputSchema', 'outputSchema', 'annotations']
    .filter((key) => textOf(before, key) !== textOf(after, key))
    .filter((key) => !named.some(({ pointer }) => pointer.startsWith(`/${key}`)))
    .map((key) => {
      const isSchema = key.endsWith('Schema');
      const text = `${key} changed`;
      const code = isSchema ? 'schema' : 'wording';
      return { code, direction: 'neutral', pointer: `/${key}`, text };
    });
}

function textOf(definition: JsonRecord, key: string): string {
  const value = own(definition, key);
  return value === undefined ? '' : toCanonicalJson(value);
}

function riskier(code: DriftChange['code'], text: string): DriftChange {
  return { code, direction: 'riskier', pointer: '', text };
}

/** Compares what two definitions declare in `_meta`. */
const { sideEffect, effect, claudeAsks, cursorAsks } = META_KEYS;

function compareClaims(before: JsonRecord, after: JsonRecord): readonly DriftChange[] {
  const old = toRecord(own(before, '_meta'));
  const now = toRecord(own(after, '_meta'));
  return Object.values(META_KEYS).flatMap(({ key }): DriftChange[] => {
    const was = own(old, key);
    const is = own(now, key);
    if (hintText(was) === hintText(is)) return [];
    const text = `its ${key} changed`;
    return [
      { code: 'claim', direction: pointOf(key, was, is), pointer: toPointer('_meta', key), text },
    ];
  });
}

function pointOf(key: string, was?: JsonValue, is?: JsonValue): Direction {
  if (key === claudeAsks.key || key === cursorAsks.key) return is === true ? 'safer' : 'riskier';
  // Silence is neither better nor worse than a claim; what the claim did to the inferred effect shows there.
  if (was === undefined || is === undefined) return 'neutral';
  if (key === sideEffect.key) return stepOf(severityOf(was), severityOf(is)) ?? 'riskier';
  if (key === effect.key) {
    // What else a declared effect says has no order; a change of it is for a person to see.
    return stepOf(severityOf(tierIn(was)), severityOf(tierIn(is))) ?? 'riskier';
  }
  return 'neutral';
}

function severityOf(tier: JsonValue | undefined): number {
  return isTier(tier) ? TIERS[tier].severity : Number.POSITIVE_INFINITY;
}

function tierIn(value: JsonValue | undefined): JsonValue | undefined {
  return own(toRecord(value), 'tier');
}

function stepOf(was: number, is: number): Direction | undefined {
  if (was === is) return undefined;
  return is > was ? 'riskier' : 'safer';
}

function hintText(value: JsonValue | undefined): string {
  return value === undefined ? '' : toCanonicalJson(value);
}
