/** What a person sees before accepting tools: each one's drift, its direction and the lines that differ. Pure. */
import { inferEffect } from '../../effect/infer/infer-effect.ts';
import type { Tier } from '../../effect/tier.ts';
import { toUnifiedDiff } from '../../lib/unified-diff.ts';
import type { ToolDrift } from './pins.ts';
import { checkPins, findGone } from './pins.ts';
import type { PinEntry } from './lock.ts';
import { own, toDefinition, toRecord } from './tool-definition.ts';
import { countOf } from '../../lib/count-of.ts';

export interface PinRow {
  readonly name: string;
  readonly drift: ToolDrift | { readonly kind: 'gone' };
  readonly quarantined: boolean;
  /** As it reads now, with no trust. */
  readonly tier?: Tier;
  readonly asks?: boolean;
  /** Of the definitions, laid out in lines. */
  readonly diff: string;
}

export function toPinRows(
  pins: ReadonlyMap<string, PinEntry>,
  tools: readonly unknown[],
): readonly PinRow[] {
  const byName = new Map(tools.map((tool) => [own(toRecord(tool), 'name'), tool]));
  const rows = [...checkPins(pins, tools)].map(([name, { drift, quarantined }]): PinRow => {
    const tool = byName.get(name);
    const { effect, asks } = inferEffect(toDefinition(tool).definition);
    const old = pins.get(drift.kind === 'renamed' ? drift.from : name);
    const diff = drift.kind === 'same' || drift.kind === 'new' ? '' : toDiff(old, tool);
    return { name, drift, quarantined, tier: effect.tier, asks, diff };
  });
  const gone = findGone(pins, tools).map((name): PinRow => ({
    name,
    drift: { kind: 'gone' },
    quarantined: false,
    diff: '',
  }));
  return [...rows, ...gone].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** The exit code of a check: 1 for anything riskier, 3 for tools that nobody accepted, else 0. */
export function toExitCode(rows: readonly PinRow[]): 0 | 1 | 3 {
  if (rows.some(({ quarantined }) => quarantined)) return 1;
  return rows.some(({ drift: { kind } }) => kind === 'new' || kind === 'renamed') ? 3 : 0;
}

export function toPinText(server: string, rows: readonly PinRow[]): string {
  const changed = rows.filter(({ drift }) => drift.kind !== 'same');
  const head = `${server}: ${countOf(rows.length, 'tool')}, ${changed.length} not as accepted`;
  return visible(`${[head, ...changed.flatMap(toLines)].join('\n')}\n`);
}

function toLines({ name, drift, quarantined, tier, asks, diff }: PinRow): readonly string[] {
  const reading = tier === undefined ? '' : ` (${tier}${asks ? ', asks' : ''})`;
  const state = quarantined ? ', held back until accepted' : '';
  const changes = 'changes' in drift ? drift.changes : [];
  return [
    '',
    `${name}: ${drift.kind === 'renamed' ? `renamed from ${drift.from}` : drift.kind}${state}${reading}`,
    ...changes.map(({ direction, pointer, text }) => `  ${direction}  ${pointer || '/'}  ${text}`),
    ...diff
      .split('\n')
      .slice(2) // the labels
      .filter((line) => line !== '')
      .map((line) => `    ${line}`),
  ];
}

function toDiff(pin: PinEntry | undefined, tool: unknown): string {
  if (pin?.definitionText === undefined) return '';
  const before = layOut(JSON.parse(pin.definitionText));
  const after = layOut(toDefinition(tool).definition);
  return toUnifiedDiff(before, after, { before: 'accepted', after: 'now' });
}

/** With sorted keys, and the lines of a text on lines of their own. */
function layOut(value: unknown): string {
  const sorted = JSON.stringify(
    value,
    (_, part: unknown) => {
      const record = toRecord(part);
      if (record === undefined) return part;
      return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
    },
    2,
  );
  return `${sorted.replaceAll(String.raw`\n`, '\\n\n')}\n`;
}

/** Names and texts of tools come from others: nothing in them may steer a terminal or hide in it. */
function visible(text: string): string {
  return text.replaceAll(/(?!\n)\p{C}/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
  });
}
