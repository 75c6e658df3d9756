/**
 * How a server's tools differ from before: each one added, removed, renamed or changed, and in which
 * direction. Pure.
 */
import { inferEffect } from '../effect/infer/infer-effect.ts';
import type { Tier } from '../effect/tier.ts';
import { TIERS } from '../effect/tier.ts';
import { checkPins, findGone } from '../gate/tools/pins.ts';
import type { PinEntry } from '../gate/tools/lock.ts';
import { own, toRecord } from '../gate/tools/tool-definition.ts';
import type { Direction, DriftChange } from '../gate/tools/drift-change.ts';

export interface ToolDiff {
  readonly tool: string;
  readonly kind: 'added' | 'removed' | 'renamed' | 'changed';
  readonly direction: Direction;
  /** Its old name. */
  readonly from?: string;
  readonly changes: readonly DriftChange[];
}

/** Unchanged tools are not reported. */
export function diffTools(
  before: ReadonlyMap<string, PinEntry>,
  after: readonly unknown[],
): readonly ToolDiff[] {
  const byName = new Map(after.map((tool) => [own(toRecord(tool), 'name'), tool]));
  const checks = [...checkPins(before, after)];
  const renamed = new Set(
    checks.flatMap(([, { drift }]) => (drift.kind === 'renamed' ? [drift.from] : [])),
  );
  const present = checks.flatMap(([tool, { drift, quarantined }]): readonly ToolDiff[] => {
    if (drift.kind === 'same') return [];
    if (drift.kind === 'new') {
      const { effect } = inferEffect(byName.get(tool));
      const direction = asks(effect.tier) ? 'riskier' : 'neutral';
      return [{ tool, kind: 'added', direction, changes: [] }];
    }
    const { changes } = drift;
    if (drift.kind !== 'renamed')
      return [{ tool, kind: 'changed', direction: drift.kind, changes }];
    const direction = quarantined ? 'riskier' : 'neutral';
    return [{ tool, kind: 'renamed', direction, from: drift.from, changes }];
  });
  const gone = findGone(before, after)
    .filter((tool) => !renamed.has(tool))
    .map((tool): ToolDiff => {
      const pin = before.get(tool);
      const direction = pin !== undefined && asks(pin.tier) ? 'safer' : 'neutral';
      return { tool, kind: 'removed', direction, changes: [] };
    });
  return [...present, ...gone].toSorted(
    (a, b) => ORDER.indexOf(a.direction) - ORDER.indexOf(b.direction),
  );
}

const ORDER: readonly Direction[] = ['riskier', 'safer', 'neutral'];

/** Adding a tool that asks makes the server riskier; removing one makes it safer. */
function asks(tier: Tier): boolean {
  return TIERS[tier].asks;
}
