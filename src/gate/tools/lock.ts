/** A lock: the pins of each server, as `plimsoll.lock.json` holds them. How its text is read is elsewhere. */
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Act } from '../../effect/act.ts';
import { ACTS } from '../../effect/act.ts';
import { HINT_NAMES } from '../../effect/hints.ts';
import { inferEffect } from '../../effect/infer/infer-effect.ts';
import type { Evidence } from '../../effect/infer/trust.ts';
import type { Tier } from '../../effect/tier.ts';
import { isTier } from '../../effect/tier.ts';
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import { readPlainFile } from '../../lib/read-plain-file.ts';
import { stateFolder, toStateName } from '../../lib/state-folder.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import { writeAtomically } from '../../lib/write-atomically.ts';
import { describeFileError } from '../../lib/describe-file-error.ts';
import type { FullHints, JsonFault } from './tool-definition.ts';
import { JsonPart, hashText, hintsOf, toDefinition } from './tool-definition.ts';

export interface Lock {
  readonly servers: ReadonlyMap<string, ReadonlyMap<string, PinEntry>>;
}

export const EMPTY_LOCK: Lock = Object.freeze({ servers: new Map() });

const LOCK_VERSION = 1;

/** Keys in order, so that equal pins are equal bytes. */
export function toLockText({ servers }: Lock): string {
  const entries = [...servers].map(([server, tools]) => [
    server,
    { tools: Object.fromEntries(tools) },
  ]);
  const lock = { version: LOCK_VERSION, servers: Object.fromEntries(entries) as unknown };
  return `${JSON.stringify(lock, (_, value: unknown) => inOrder(value), 2)}\n`;
}

export function withPins(
  { servers }: Lock,
  server: string,
  changes: ReadonlyMap<string, PinEntry | undefined>,
): Lock {
  const tools = new Map(servers.get(server));
  for (const [tool, pin] of changes) {
    if (pin === undefined) tools.delete(tool);
    else tools.set(tool, pin);
  }
  return { servers: new Map([...servers, [server, tools]]) };
}

function inOrder(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** A pin: one tool of one server, as a person accepted it. */
export interface PinEntry {
  /** `sha256:` and 64 hex digits. */
  readonly definition: string;
  readonly tier: Tier;
  readonly act: Act;
  /** The tier is a person's word, not inferred. */
  readonly stated?: true;
  /** The switch that makes a call of this very definition a dry run: a person's word as well. */
  readonly dryRun?: string;
  readonly hints: FullHints;
  readonly acceptedBy: string;
  /** ISO 8601. */
  readonly acceptedAt: string;
  readonly evidence?: Evidence;
  /** What `definition` is the hash of, so that a change can be shown and classed. */
  readonly definitionText?: string;
}

export interface Acceptance {
  readonly by: string;
  readonly at: Date;
  /** What the person says that the tool does. */
  readonly tier?: Tier;
  /** The switch that the person says makes a call a dry run. */
  readonly dryRun?: string;
  readonly evidence?: Evidence;
}

/** Undefined when part of the tool cannot be read: nobody can accept what nobody can see. */
export function toPinEntry(tool: unknown, acceptance: Acceptance): PinEntry | undefined {
  const { definition, whole } = toDefinition(tool);
  if (!whole) return undefined;
  const { by, at, tier, dryRun, evidence } = acceptance;
  const { effect } = inferEffect(definition, tier === undefined ? {} : { pin: { tier } });
  const definitionText = toCanonicalJson(definition);
  return Object.freeze({
    definition: hashText(definitionText),
    tier: effect.tier,
    act: effect.act,
    ...(tier !== undefined && { stated: true as const }),
    ...(dryRun !== undefined && { dryRun }),
    hints: hintsOf(definition),
    acceptedBy: by,
    acceptedAt: at.toISOString(),
    ...(evidence !== undefined && { evidence }),
    definitionText,
  });
}

/** No file is a lock without pins. */
export function readLockFile(path: string): LockReading {
  let bytes: Uint8Array;
  try {
    ({ bytes } = readPlainFile(path));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException; // what node:fs throws
    if (code === 'ENOENT') return { kind: 'lock', lock: EMPTY_LOCK };
    return { kind: 'faults', faults: [{ pointer: '', message: describeFileError(error) }] };
  }
  try {
    return readLock(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return { kind: 'faults', faults: [{ pointer: '', message: 'the file is not UTF-8' }] };
  }
}

export async function writeLockFile(path: string, lock: Lock): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeAtomically(path, toLockText(lock), 0o644);
}

/** Reads the text of a lock, strictly: what it does not know or cannot hold is a fault, told with its place. */
type LockReading =
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
  'dryRun',
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
  const dryRun = part.get('dryRun') === undefined ? undefined : part.text('dryRun', /\S/);
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
    ...(dryRun !== undefined && { dryRun }),
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

const LOCK = 'plimsoll.lock.json';

/** One for each folder, as servers of one name are different ones elsewhere. */
export function ownLock(folder: string): string {
  return join(ownLocks(), `${toStateName(realpathSync(folder))}.json`);
}

function ownLocks(): string {
  return join(stateFolder(), 'locks');
}

/** Whether a path leads to one of them, and to nothing else. */
export function isOwnLock(path: string): boolean {
  return path === join(ownLocks(), basename(path)) && path.endsWith('.json');
}

/** Those of all folders. */
export function listOwnLocks(): readonly string[] {
  const folder = ownLocks();
  const names = existsSync(folder) ? readdirSync(folder) : [];
  return names.filter((name) => name.endsWith('.json')).map((name) => join(folder, name));
}

export function findLock(folder: string): string | undefined {
  const path = join(folder, LOCK);
  return existsSync(path) ? path : undefined;
}
