/** Holds the tools that a server lists now against its pins. Pure. */
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import { classifyDrift } from './classify-drift.ts';
import { hashText } from './definition-hash.ts';
import type { Drift, DriftChange } from './drift.ts';
import type { PinEntry } from './pin-entry.ts';
import type { JsonRecord } from './tool-definition.ts';
import { own, toDefinition, toRecord } from './tool-definition.ts';

export type ToolDrift =
  | Drift
  | { readonly kind: 'new' }
  /** Apart from the name it is a pinned tool that is listed no more. */
  | { readonly kind: 'renamed'; readonly from: string; readonly changes: readonly DriftChange[] };

export interface ToolCheck {
  readonly drift: ToolDrift;
  /** It got riskier than what was accepted and may not be called. */
  readonly quarantined: boolean;
}

const NEW: ToolCheck = { drift: { kind: 'new' }, quarantined: false };

type ServerPins = ReadonlyMap<string, PinEntry>;

/** Tools without a name get no check; they cannot be called either. */
export function checkPins(
  pins: ServerPins,
  tools: readonly unknown[],
): ReadonlyMap<string, ToolCheck> {
  const named = tools.map((tool) => ({ tool, name: nameOf(tool) }));
  const listed = new Set(named.map(({ name }) => name));
  let gone: ReadonlyMap<string, string> | undefined;
  const checks = new Map<string, ToolCheck>();
  for (const { tool, name } of named) {
    if (name === undefined) continue;
    const pin = pins.get(name);
    gone ??= pin === undefined ? indexGone(pins, listed) : undefined;
    const check = pin === undefined ? checkNew(pins, gone, tool) : checkTool(pin, tool);
    // Two tools of one name: nobody knows which one a call reaches, so the worse one counts.
    if (checks.get(name)?.quarantined !== true) checks.set(name, check);
  }
  return checks;
}

/** For one tool by itself, where nobody can tell whether another was renamed to it. */
export function checkTool(pin: PinEntry | undefined, tool: unknown): ToolCheck {
  return pin === undefined ? NEW : toCheck(classifyDrift(pin, tool));
}

/** Pinned tools that the server no longer lists. */
export function findGone(pins: ServerPins, tools: readonly unknown[]): readonly string[] {
  const listed = new Set(tools.map(nameOf));
  return [...pins.keys()].filter((name) => !listed.has(name));
}

function toCheck(drift: Drift): ToolCheck {
  return { drift, quarantined: drift.kind === 'riskier' };
}

function checkNew(
  pins: ServerPins,
  gone: ReadonlyMap<string, string> | undefined,
  tool: unknown,
): ToolCheck {
  const { definition, whole } = toDefinition(tool);
  const from = whole ? gone?.get(hashNameless(definition)) : undefined;
  const pin = from === undefined ? undefined : pins.get(from);
  if (from === undefined || pin === undefined) return NEW;
  const drift = classifyDrift(pin, tool);
  const changes = drift.kind === 'same' ? [] : drift.changes;
  // A name tells what a tool does, so that a new one can be the riskier.
  return { drift: { kind: 'renamed', from, changes }, quarantined: drift.kind === 'riskier' };
}

/** Pins of tools that are gone, by the hash of what they were apart from the name. */
function indexGone(
  pins: ServerPins,
  listed: ReadonlySet<string | undefined>,
): ReadonlyMap<string, string> {
  const index = new Map<string, string>();
  for (const [name, { definitionText }] of pins) {
    if (listed.has(name) || definitionText === undefined) continue;
    const { definition } = toDefinition(JSON.parse(definitionText));
    index.set(hashNameless(definition), name);
  }
  return index;
}

function hashNameless(definition: JsonRecord): string {
  const rest = Object.entries(definition).filter(([key]) => key !== 'name');
  return hashText(toCanonicalJson(Object.fromEntries(rest)));
}

function nameOf(tool: unknown): string | undefined {
  const name = own(toRecord(tool), 'name');
  return typeof name === 'string' ? name : undefined;
}
