/** Reads the text of a lock, strictly: what it does not know or cannot hold is a fault, told with its place. */
import { ACTS } from '../../effect/act.ts';
import type { Act } from '../../effect/act.ts';
import { HINT_NAMES } from '../../effect/hints.ts';
import type { Evidence } from '../../effect/reading/trust.ts';
import { isTier } from '../../effect/tier.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import { hashText } from './definition-hash.ts';
import type { JsonFault } from './json-part.ts';
import { JsonPart } from './json-part.ts';
import type { Lock } from './lock.ts';
import { LOCK_VERSION } from './lock.ts';
import type { PinEntry } from './pin-entry.ts';
import type { FullHints } from './tool-definition.ts';

export type LockReading =
  | { readonly kind: 'lock'; readonly lock: Lock }
  | { readonly kind: 'faults'; readonly faults: readonly JsonFault[] };

const LIMITS = { bytes: 64 * 1024 * 1024 };

export function readLock(text: string): LockReading {
  const json = parseStrictJson(text, LIMITS);
  if (json.kind === 'refused')
    return { kind: 'faults', faults: [{ pointer: '', message: json.detail }] };
  const faults: JsonFault[] = [];
  const root = new JsonPart(json.value, '', faults);
  root.allow(['version', 'servers']);
  if (root.get('version') !== LOCK_VERSION) root.fault('the version is not 1', 'version');
  const servers = new Map(
    root.parts('servers').map(([server, part]) => {
      part.allow(['tools']);
      return [server, new Map(part.parts('tools').map(([tool, pin]) => [tool, readPin(pin)]))];
    }),
  );
  return faults.length > 0 ? { kind: 'faults', faults } : { kind: 'lock', lock: { servers } };
}

const PIN_KEYS = [
  'definition',
  'tier',
  'act',
  'stated',
  'hints',
  'acceptedBy',
  'acceptedAt',
  'evidence',
  'definitionText',
];

/** What it gives counts only when no fault was found. */
function readPin(part: JsonPart): PinEntry {
  part.allow(PIN_KEYS);
  const definition = part.text('definition', /^sha256:[0-9a-f]{64}$/);
  const stated = part.get('stated');
  if (stated !== undefined && stated !== true) part.fault('only true can be said', 'stated');
  const definitionText = part.get('definitionText');
  if (definitionText !== undefined) {
    const sound = typeof definitionText === 'string' && hashText(definitionText) === definition;
    if (!sound) part.fault('the hash is not that of this text', 'definitionText');
  }
  const evidence = readEvidence(part);
  const tier = part.get('tier');
  const act = part.get('act');
  if (!isTier(tier)) part.fault('there is no such tier', 'tier');
  if (typeof act !== 'string' || !Object.hasOwn(ACTS, act))
    part.fault('there is no such act', 'act');
  return {
    definition,
    tier: isTier(tier) ? tier : 'destructive',
    act: act as Act, // a fault otherwise
    ...(stated === true && { stated }),
    hints: readHints(part),
    acceptedBy: part.text('acceptedBy', /\S/),
    acceptedAt: part.text('acceptedAt', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/),
    ...(evidence !== undefined && { evidence }),
    ...(typeof definitionText === 'string' && { definitionText }),
  };
}

function readHints(pin: JsonPart): FullHints {
  const hints = pin.part('hints');
  hints.allow(HINT_NAMES);
  const entries = HINT_NAMES.map((name) => {
    const value = hints.get(name);
    if (typeof value !== 'boolean') hints.fault('it is not a boolean', name);
    return [name, value];
  });
  return Object.fromEntries(entries) as FullHints; // faults otherwise
}

function readEvidence(pin: JsonPart): Evidence | undefined {
  if (pin.get('evidence') === undefined) return undefined;
  const evidence = pin.part('evidence');
  evidence.allow(['tier', 'calls']);
  const tier = evidence.get('tier');
  const calls = evidence.get('calls');
  if (isTier(tier) && typeof calls === 'number' && Number.isSafeInteger(calls) && calls >= 0)
    return { tier, calls };
  evidence.fault('evidence is a tier and a count of calls');
  return undefined;
}
