/**
 * Reads the stamp of an untrusted tool object parsed from JSON. Never throws: errors become findings,
 * and what is absent stays absent. It reports what is claimed, not what is true.
 */
import type { HintName } from './hints.ts';
import { HINT_DEFAULTS, HINT_NAMES } from './hints.ts';
import { META_KEYS } from './meta-keys.ts';
import type { Tier } from './tier.ts';
import { isTier, TIERS } from './tier.ts';

export type Claim<T> =
  | { readonly state: 'claimed'; readonly value: T }
  /** `assumed` is the default that MCP prescribes. */
  | { readonly state: 'absent'; readonly assumed?: T }
  /** Said, but not in a way that can hold; `said` is the raw value. */
  | { readonly state: 'contradictory'; readonly said: unknown };

export type StampFindingCode =
  | 'tool-not-object'
  | 'annotations-not-object'
  | 'meta-not-object'
  | 'title-not-string'
  | 'hint-not-boolean'
  | 'read-only-and-destructive'
  | 'tier-unknown'
  | 'tier-against-hint';

export interface StampFinding {
  readonly code: StampFindingCode;
  /** A JSON pointer into the tool. */
  readonly pointer: string;
  readonly message: string;
}

export interface StampReading {
  readonly name?: string;
  /** The title that a client shows: the tool's own, then the annotations'. */
  readonly title?: string;
  readonly hints: Readonly<Record<HintName, Claim<boolean>>>;
  readonly tier: Claim<Tier>;
  readonly scopes: Claim<readonly string[]>;
  readonly findings: readonly StampFinding[];
}

type Json = Readonly<Record<string, unknown>>;

export function readStamp(tool: unknown): StampReading {
  const findings: StampFinding[] = [];
  const found = (code: StampFindingCode, pointer: string, message: string): void => {
    findings.push({ code, pointer, message });
  };
  const entry = toObject(tool);
  if (entry === undefined) found('tool-not-object', '', 'the tool is not an object');
  const annotations = readPart(entry, 'annotations', 'annotations-not-object', found);
  const meta = readPart(entry, '_meta', 'meta-not-object', found);
  const hints = readHints(annotations, found);
  const tier = readTier(meta, found);
  weighTogether(hints, tier, found);
  const name = own(entry, 'name');
  const title =
    readTitle(entry, '/title', found) ?? readTitle(annotations, '/annotations/title', found);
  return {
    ...(typeof name === 'string' && { name }),
    ...(title !== undefined && { title }),
    hints,
    tier,
    scopes: readScopes(meta),
    findings,
  };
}

type Found = (code: StampFindingCode, pointer: string, message: string) => void;
type MutableHints = Record<HintName, Claim<boolean>>;

function readHints(annotations: Json | undefined, found: Found): MutableHints {
  const hints = {} as MutableHints; // every name is set in the loop below
  for (const name of HINT_NAMES) {
    const said = own(annotations, name);
    if (said === undefined) hints[name] = { state: 'absent', assumed: HINT_DEFAULTS[name] };
    else if (typeof said === 'boolean') hints[name] = { state: 'claimed', value: said };
    else {
      hints[name] = { state: 'contradictory', said };
      found('hint-not-boolean', `/annotations/${name}`, `${name} is not a boolean`);
    }
  }
  return hints;
}

function readTier(meta: Json | undefined, found: Found): Claim<Tier> {
  const { key } = META_KEYS.sideEffect;
  const said = own(meta, key);
  if (said === undefined) return { state: 'absent' };
  if (isTier(said)) return { state: 'claimed', value: said };
  found('tier-unknown', `/_meta/${key}`, 'the side effect is not one of the five tiers');
  return { state: 'contradictory', said };
}

function readScopes(meta: Json | undefined): Claim<readonly string[]> {
  const said = own(meta, META_KEYS.requiredScope.key);
  if (said === undefined) return { state: 'absent' };
  if (typeof said !== 'string') return { state: 'contradictory', said };
  return { state: 'claimed', value: said.split(' ').filter((scope) => scope !== '') };
}

/** Contradictory claims cancel each other; neither may be relied on. */
function weighTogether(hints: MutableHints, tier: Claim<Tier>, found: Found): void {
  const { readOnlyHint, destructiveHint } = hints;
  const claimsReadOnly = isClaimed(readOnlyHint, true);
  if (claimsReadOnly && isClaimed(destructiveHint, true)) {
    hints.readOnlyHint = { state: 'contradictory', said: true };
    hints.destructiveHint = { state: 'contradictory', said: true };
    found('read-only-and-destructive', '/annotations', 'a read-only tool cannot be destructive');
  }
  if (tier.state === 'claimed' && readOnlyHint.state === 'claimed') {
    if (TIERS[tier.value].readsOnly !== claimsReadOnly) {
      hints.readOnlyHint = { state: 'contradictory', said: readOnlyHint.value };
      const message = `readOnlyHint ${String(readOnlyHint.value)} contradicts tier ${tier.value}`;
      found('tier-against-hint', '/annotations/readOnlyHint', message);
    }
  }
}

function isClaimed(claim: Claim<boolean>, value: boolean): boolean {
  return claim.state === 'claimed' && claim.value === value;
}

function readPart(
  entry: Json | undefined,
  key: string,
  code: StampFindingCode,
  found: Found,
): Json | undefined {
  const part = own(entry, key);
  if (part === undefined) return undefined;
  const object = toObject(part);
  if (object === undefined) found(code, `/${key}`, `${key} is not an object`);
  return object;
}

function readTitle(part: Json | undefined, pointer: string, found: Found): string | undefined {
  const said = own(part, 'title');
  if (said === undefined || typeof said === 'string') return said;
  found('title-not-string', pointer, 'the title is not a string');
  return undefined;
}

function own(object: Json | undefined, key: string): unknown {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

function toObject(value: unknown): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as Json; // a JSON object has string keys only
}
