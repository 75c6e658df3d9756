/**
 * Tells whether a tool is still the one that was accepted and, if not, whether it got safer, riskier or
 * neither. Pure. What cannot be compared counts as riskier.
 */
import { HINT_DEFAULTS, HINT_NAMES } from '../../effect/hints.ts';
import { readTool } from '../../effect/reading/read-tool.ts';
import { TIERS } from '../../effect/tier.ts';
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import { compareClaims } from './compare-claims.ts';
import { compareParameters } from './compare-parameters.ts';
import { compareTexts } from './compare-texts.ts';
import { hashText } from './definition-hash.ts';
import type { Drift, DriftChange } from './drift.ts';
import { toDrift } from './drift.ts';
import type { PinEntry } from './pin-entry.ts';
import type { FullHints, JsonRecord } from './tool-definition.ts';
import { hintsOf, own, toDefinition, toRecord } from './tool-definition.ts';

type Pinned = Pick<PinEntry, 'definition' | 'hints' | 'definitionText'>;

export function classifyDrift(pinned: Pinned, tool: unknown): Drift {
  const { definition: after, whole } = toDefinition(tool);
  if (!whole) return toDrift([riskier('unreadable', 'part of the definition is not JSON')]);
  if (hashText(toCanonicalJson(after)) === pinned.definition) return { kind: 'same' };
  const before = toAccepted(pinned);
  if (before === undefined) {
    const text = 'the definition changed, and the accepted text was not kept';
    return toDrift([
      ...compareHints(pinned.hints, hintsOf(after)),
      riskier('not-comparable', text),
    ]);
  }
  return toDrift(compareDefinitions(before, after));
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

function compareDefinitions(before: JsonRecord, after: JsonRecord): readonly DriftChange[] {
  const changes = [
    ...compareNames(before, after),
    ...compareReadings(before, after),
    ...compareHints(hintsOf(before), hintsOf(after)),
    ...compareClaims(before, after),
    ...compareParameters(own(before, 'inputSchema'), own(after, 'inputSchema')),
    ...compareTexts(before, after),
  ];
  return [...changes, ...compareRest(before, after, changes)];
}

function compareNames(before: JsonRecord, after: JsonRecord): readonly DriftChange[] {
  if (own(before, 'name') === own(after, 'name')) return [];
  return [{ code: 'name', direction: 'neutral', pointer: '/name', text: 'it has another name' }];
}

function compareReadings(before: JsonRecord, after: JsonRecord): readonly DriftChange[] {
  const old = readTool(before);
  const now = readTool(after);
  const step = TIERS[now.effect.tier].severity - TIERS[old.effect.tier].severity;
  if (step === 0) return [];
  const why = now.reasons[0]?.text ?? 'the text changed';
  const text = `it reads as ${now.effect.tier}, no longer as ${old.effect.tier}: ${why}`;
  return [{ code: 'tier', direction: step > 0 ? 'riskier' : 'safer', pointer: '', text }];
}

function compareHints(before: FullHints, after: FullHints): readonly DriftChange[] {
  return HINT_NAMES.filter((name) => before[name] !== after[name]).map((name) => ({
    code: 'hint',
    // What must be assumed of silence is, for each hint, the worst.
    direction: after[name] === HINT_DEFAULTS[name] ? 'riskier' : 'safer',
    pointer: `/annotations/${name}`,
    text: `${name} went from ${before[name]} to ${after[name]}`,
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
      const text = `${key} is another`;
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
