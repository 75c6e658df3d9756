/** The differences of two texts by line, as a unified diff. */
import type { StructuredPatch } from 'diff';
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch } from 'diff';

interface DiffLabels {
  readonly before: string;
  readonly after: string;
}

const CONTEXT = 3;
/** Beyond this many differences all lines count as replaced; nobody reads them one by one. Time grows with their square. */
const MOST_EDITS = 2000;

/** Empty when the texts are equal. */
export function toUnifiedDiff(
  before: string,
  after: string,
  labels: DiffLabels,
  mostEdits: number = MOST_EDITS,
): string {
  if (before === after) return '';
  const patch = structuredPatch(labels.before, labels.after, before, after, undefined, undefined, {
    context: CONTEXT,
    maxEditLength: mostEdits,
  });
  return formatPatch(patch ?? replaceAll(before, after, labels), FILE_HEADERS_ONLY);
}

function replaceAll(before: string, after: string, labels: DiffLabels): StructuredPatch {
  const patchOf = (from: string, to: string): StructuredPatch =>
    structuredPatch(labels.before, labels.after, from, to);
  const added = patchOf('', after);
  const [out, put] = [patchOf(before, '').hunks[0], added.hunks[0]];
  const hunk = {
    oldStart: 1,
    oldLines: out?.oldLines ?? 0,
    newStart: 1,
    newLines: put?.newLines ?? 0,
    lines: [...(out?.lines ?? []), ...(put?.lines ?? [])],
  };
  return { ...added, hunks: [hunk] };
}
