/**
 * The hints whose only right value the tool's own words tell beyond doubt, for a fix. It needs both
 * a sure reading without claims and a plain verb in front; all else is left to the author.
 */
import type { Hints } from '../../effect/hints.ts';
import { readParameters } from '../../effect/reading/read-parameters.ts';
import { toWords } from '../../effect/reading/to-words.ts';
import { TIERS } from '../../effect/tier.ts';
import type { ToolSubject } from '../subject.ts';
import { memberOf } from './member-of.ts';
import { plainReading } from './plain-reading.ts';

const CERTAIN = 0.9;
const READS = new Set(['get', 'list', 'read', 'find', 'describe', 'show', 'count']);
const CHANGES = new Set(['create', 'update', 'write', 'insert', 'edit', 'rename', 'set']);
const REMOVES = new Set(['delete', 'drop', 'purge', 'wipe', 'destroy', 'erase']);
/** A read that takes one of these may write a file. */
const WRITES_FILE = /(?:^|_)file_?(?:path|name)$|^(?:output|save|dest|attachment)\w*$/;

export function certainHints(tool: ToolSubject): Hints {
  const { effect, confidence } = plainReading(tool);
  const words = toWords(tool.name);
  if (confidence < CERTAIN || effect.varies.length > 0 || words.length < 2) return {};
  const { looksOnly, asks } = TIERS[effect.tier];
  // The first word may be the name of the service.
  const leads = (verbs: ReadonlySet<string>): boolean =>
    words.slice(0, 2).some((word) => verbs.has(word));
  const isRead = looksOnly && leads(READS) && !writesFile(tool.raw);
  if (isRead) return { readOnlyHint: true, destructiveHint: false };
  if (asks && leads(REMOVES)) return { readOnlyHint: false, destructiveHint: true };
  return !looksOnly && leads(CHANGES) ? { readOnlyHint: false } : {};
}

function writesFile(raw: unknown): boolean {
  return readParameters(memberOf(raw, 'inputSchema')).all.some(({ key }) => WRITES_FILE.test(key));
}
