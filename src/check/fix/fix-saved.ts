/** Applies fixes to the file of a saved list, in its own indentation. Gives what was done and what was not. */
import { readFile, stat } from 'node:fs/promises';
import { writeAtomically } from '../../lib/write-atomically.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import type { Finding, Fix } from '../finding.ts';
import { toSavedList } from '../sources/saved-list.ts';
import { applyFixes } from './apply-fixes.ts';

export interface FixedFile {
  readonly applied: readonly Fix[];
  readonly left: readonly Fix[];
}

const LIMITS = { bytes: 256 * 1024 * 1024, depth: 200 };

/** Throws an Error with one sentence when writing it anew could change anything else. */
export async function fixSaved(path: string, findings: readonly Finding[]): Promise<FixedFile> {
  const text = (await readFile(path, 'utf8')).replace(/^\u{feff}/u, '');
  const json = parseStrictJson(text, LIMITS);
  if (json.kind === 'refused') throw new Error(`${path} cannot be written anew: ${json.detail}`);
  const saved = toSavedList(json.value);
  if (saved === undefined) throw new Error(`${path} has no "tools"`);
  const { value, applied, left } = applyFixes(json.value, saved.path, findings);
  if (applied.length > 0) {
    const { mode } = await stat(path);
    const after = JSON.stringify(value, null, indentOf(text));
    await writeAtomically(path, text.endsWith('\n') ? `${after}\n` : after, mode & 0o777);
  }
  return { applied, left };
}

/** Of the first line that has one; a text in one line stays in one. */
function indentOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? '';
}
