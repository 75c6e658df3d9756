/** Which presets fit the tools of a server and are not in use for it. Goes by definitions, never by names alone. */
import { quoteWord } from '../../lib/quote-word.ts';
import type { PinEntry } from '../tools/lock.ts';
import type { Preset } from './presets.ts';
import { comparePreset, PRESETS } from './presets.ts';

export interface FittingPreset {
  readonly preset: Preset;
  /** Those that are as they were reviewed, and that nobody has pinned. */
  readonly tools: readonly string[];
}

/** What is known of the server that a preset is accepted for. */
interface AcceptedFor {
  /** Its name at the gate. */
  readonly server?: string | undefined;
  readonly lock?: string | undefined;
  /** How it is reached, ready for a shell. */
  readonly address?: string | undefined;
}

/** The command that accepts it; what only the user knows, such as a folder, stands there in capitals. */
export function toAcceptCommand(
  { name, start }: Preset,
  { server, lock, address = start.map(quoteWord).join(' ') }: AcceptedFor = {},
): string {
  const where = lock === undefined ? '' : ` --lock ${quoteWord(lock)}`;
  const own = server === undefined ? 'NAME' : quoteWord(server);
  const note = server === undefined ? ", where NAME is the server's name at the gate" : '';
  return `plimsoll presets accept ${name} --server ${own}${where} -- ${address}${note}`;
}

/** The one that fits the most tools first. */
export function findPresets(
  tools: readonly unknown[],
  pins: ReadonlyMap<string, PinEntry> = new Map(),
): readonly FittingPreset[] {
  return PRESETS.map((preset) => {
    const rows = comparePreset(preset, tools);
    const open = rows.filter(({ name, kind }) => kind === 'reviewed' && !pins.has(name));
    return { preset, tools: open.map(({ name }) => name) };
  })
    .filter((fitting) => fitting.tools.length > 0)
    .toSorted((a, b) => b.tools.length - a.tools.length);
}
