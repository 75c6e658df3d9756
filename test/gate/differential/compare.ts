/** Two traces, value by value, and the differences that are accepted. Pure. */
import type { Json, JsonObject } from './fixture-world.ts';
import type { Cell } from './cells.ts';
import type { CellResult } from './run-cell.ts';
import type { StepTrace } from './trace.ts';

export interface Difference {
  /** `script/step`. */
  readonly step: string;
  readonly path: string;
  /** `undefined`: there is none. */
  readonly direct: Json | undefined;
  readonly gated: Json | undefined;
}

type Expected = { readonly is?: Json | undefined } | { readonly like: RegExp } | 'absent' | 'any';

export interface Accepted {
  readonly reason: string;
  /** In which cells, at which steps. Wherever one of the steps is run, the difference has to occur. */
  readonly where?: Partial<Cell>;
  readonly unless?: Partial<Cell>;
  readonly steps: RegExp;
  readonly path?: RegExp;
  readonly direct?: Expected;
  /** `{direct}` in a text stands for the value without the gate. */
  readonly gated?: Expected | { readonly template: string };
}

export function compareTraces(
  direct: readonly StepTrace[],
  gated: readonly StepTrace[],
): readonly Difference[] {
  return direct.flatMap((one, index) => {
    const { texts, step, ...values } = one;
    const other = gated[index];
    if (other?.step !== step) return [{ step, path: '', direct: 'run', gated: undefined }];
    const { texts: otherTexts, step: _, ...otherValues } = other;
    const found = compareValues(values, otherValues, '');
    // Equal values are spelled equally, too, where the client saw how.
    const spelled = found.some(({ path }) => path.startsWith('.received.response'))
      ? []
      : compareValues([...texts], [...otherTexts], 'text');
    return [...found, ...spelled].map((difference) => ({ step, ...difference }));
  });
}

function compareValues(
  direct: Json | undefined,
  gated: Json | undefined,
  path: string,
): readonly Omit<Difference, 'step'>[] {
  if (Object.is(direct, gated)) return [];
  if (Array.isArray(direct) && Array.isArray(gated)) {
    const length = Math.max(direct.length, gated.length);
    return Array.from({ length }, (_, index) =>
      compareValues(
        direct[index] as Json | undefined,
        gated[index] as Json | undefined,
        `${path}[${index}]`,
      ),
    ).flat();
  }
  if (isObject(direct) && isObject(gated)) {
    const keys = [...new Set([...Object.keys(direct), ...Object.keys(gated)])];
    return keys.flatMap((key) => compareValues(direct[key], gated[key], `${path}.${key}`));
  }
  return [{ path, direct, gated }];
}

export interface Judged {
  readonly unlisted: readonly Difference[];
  /** Accepted differences that should have occurred here and did not. */
  readonly unused: readonly string[];
}

export function judge(
  cell: Cell,
  { differences, steps }: CellResult,
  accepted: readonly Accepted[],
): Judged {
  const here = accepted.filter((entry) => appliesTo(entry, cell));
  const used = new Set<Accepted>();
  const unlisted = differences.filter((difference) => {
    const entry = here.find((each) => matches(each, difference));
    if (entry !== undefined) used.add(entry);
    return entry === undefined;
  });
  const unused = here
    .filter((entry) => !used.has(entry) && steps.some((step) => entry.steps.test(step)))
    .map((entry) => `${entry.steps.source} ${entry.path?.source ?? ''}: ${entry.reason}`);
  return { unlisted, unused };
}

function appliesTo({ where = {}, unless }: Accepted, cell: Cell): boolean {
  const isIn = (part: Partial<Cell>): boolean =>
    Object.entries(part).every(([key, value]) => cell[key as keyof Cell] === value);
  return isIn(where) && !(unless !== undefined && isIn(unless));
}

function matches(entry: Accepted, found: Difference): boolean {
  const { steps, path, direct = 'any', gated = 'any' } = entry;
  if (!steps.test(found.step) || path?.test(found.path) === false) return false;
  if (!isExpected(direct, found.direct)) return false;
  if (typeof gated === 'object' && 'template' in gated) {
    const { direct: before } = found;
    return typeof before === 'string' && found.gated === gated.template.replace('{direct}', before);
  }
  return isExpected(gated, found.gated);
}

function isExpected(expected: Expected, value: Json | undefined): boolean {
  if (expected === 'any') return true;
  if (expected === 'absent') return value === undefined;
  if ('like' in expected)
    return expected.like.test(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));
  return JSON.stringify(expected.is) === JSON.stringify(value);
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
