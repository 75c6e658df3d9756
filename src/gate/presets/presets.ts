/**
 * Presets: what the tools of popular servers do, as somebody has reviewed them, each with its source and date. A
 * preset holds digests of the definitions that were reviewed, and says nothing about any other definition.
 */
import type { Tier } from '../../effect/tier.ts';
import type { PinEntry } from '../tools/lock.ts';
import { toPinEntry } from '../tools/lock.ts';
import { hashDefinition, own, toRecord } from '../tools/tool-definition.ts';
import azure from './azure.json' with { type: 'json' };
import chromeDevtools from './chrome-devtools.json' with { type: 'json' };
import filesystem from './filesystem.json' with { type: 'json' };
import github from './github.json' with { type: 'json' };
import playwright from './playwright.json' with { type: 'json' };
import postgres from './postgres.json' with { type: 'json' };
import sequentialThinking from './sequential-thinking.json' with { type: 'json' };

export interface Preset {
  readonly name: string;
  /** Where the definitions come from: a package and its version. */
  readonly source: string;
  /** The day of the review, ISO 8601. */
  readonly reviewed: string;
  /** A command that starts the server, without what only its user knows. */
  readonly start: readonly string[];
  readonly tools: Readonly<Record<string, ReviewedTool>>;
}

interface ReviewedTool {
  /** Absent where it depends on the arguments of a call, so that nobody can state one tier. */
  readonly tier?: Tier;
  /** The switch with which a call changes nothing: that it does was read in the code of the server. */
  readonly dryRun?: string;
  /** Digests of the definitions that were reviewed, as pins have them. */
  readonly definitions: readonly string[];
}

/** JSON has wider types than our words; the test reads every file strictly. */
export const PRESETS: readonly Preset[] = Object.freeze([
  azure,
  chromeDevtools,
  filesystem,
  github,
  playwright,
  postgres,
  sequentialThinking,
]) as readonly Preset[];

/** How one tool of a server compares with a preset. */
export interface PresetRow {
  readonly name: string;
  /** `reviewed`: it is what was reviewed. `changed`: its definition is another. `unknown`: the preset has no such tool. */
  readonly kind: 'reviewed' | 'changed' | 'unknown';
  readonly tier?: Tier;
  readonly dryRun?: string;
}

/** Tools without a name are left out, as they cannot be called; one that is listed twice is nobody's. */
export function comparePreset(preset: Preset, tools: readonly unknown[]): readonly PresetRow[] {
  const names = tools.flatMap((tool) => nameOf(tool) ?? []);
  return tools.flatMap((tool): readonly PresetRow[] => {
    const name = nameOf(tool);
    if (name === undefined) return [];
    const reviewed = Object.hasOwn(preset.tools, name) ? preset.tools[name] : undefined;
    if (reviewed === undefined) return [{ name, kind: 'unknown' }];
    const isSame =
      names.indexOf(name) === names.lastIndexOf(name) &&
      reviewed.definitions.includes(hashDefinition(tool));
    const { tier, dryRun } = reviewed;
    if (!isSame) return [{ name, kind: 'changed' }];
    return [{ name, kind: 'reviewed', ...(tier && { tier }), ...(dryRun && { dryRun }) }];
  });
}

/** Pins for the tools that are as they were reviewed, and no others. */
export function toPresetPins(
  preset: Preset,
  tools: readonly unknown[],
  by: string,
  at: Date,
): ReadonlyMap<string, PinEntry> {
  const pins = new Map<string, PinEntry>();
  for (const { name, kind, tier, dryRun } of comparePreset(preset, tools)) {
    if (kind !== 'reviewed') continue;
    const entry = toPinEntry(
      tools.find((tool) => nameOf(tool) === name),
      { by, at, ...(tier && { tier }), ...(dryRun && { dryRun }) },
    );
    if (entry !== undefined) pins.set(name, entry);
  }
  return pins;
}

function nameOf(tool: unknown): string | undefined {
  const name = own(toRecord(tool), 'name');
  return typeof name === 'string' ? name : undefined;
}
