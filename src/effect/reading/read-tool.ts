/**
 * Reads a foreign tool: what it does to the world, whether a person is asked first, how sure that
 * is and why. Pure and quick; it calls nothing and believes no promise it has no reason to believe.
 */
import type { Effect } from '../effect.ts';
import { readStamp } from '../read-stamp.ts';
import { TIERS } from '../tier.ts';
import type { Reason } from './reason.ts';
import { readParameters } from './read-schema.ts';
import { readText } from './read-text.ts';
import { toEffect } from './to-effect.ts';
import type { Trust } from './trust.ts';
import { weighTrust } from './trust.ts';

export interface Reading {
  readonly effect: Effect;
  /** A person is asked before each call, under the default policy. */
  readonly asks: boolean;
  /** From 0 to 1. */
  readonly confidence: number;
  /** What decided, first. */
  readonly reasons: readonly Reason[];
}

export function readTool(tool: unknown, trust: Trust = {}): Reading {
  const stamp = readStamp(tool);
  const signals = readText({
    name: stamp.name ?? '',
    title: stamp.title ?? '',
    description: textOf(tool, 'description'),
    parameters: readParameters(partOf(tool, 'inputSchema')),
  });
  const [first] = signals;
  const verdict = weighTrust(
    {
      tier: first.tier,
      confidence: first.weight,
      reasons: signals.map(({ reason }) => reason),
    },
    stamp,
    trust,
  );
  const act = trust.pin?.act ?? first.act;
  const [why] = verdict.reasons;
  const effect = toEffect(act, verdict.tier, why?.text ?? '');
  return Object.freeze({
    effect,
    asks: TIERS[effect.tier].asks,
    confidence: Math.round(verdict.confidence * 100) / 100,
    reasons: Object.freeze([...verdict.reasons]),
  });
}

function textOf(tool: unknown, key: string): string {
  const value = partOf(tool, key);
  return typeof value === 'string' ? value : '';
}

function partOf(tool: unknown, key: string): unknown {
  if (typeof tool !== 'object' || tool === null || !Object.hasOwn(tool, key)) return undefined;
  return (tool as Readonly<Record<string, unknown>>)[key];
}
