/** A spend over stdio that a rule allows: intent durable before it is sent, result before it is answered. */
import { join } from 'node:path';
import { pay } from '../invoice-calls.ts';
import type { SuiteContext, SuiteReport } from '../suite.ts';
import { figuresOf } from '../suite.ts';
import { measureStdioCalls } from './stdio-calls.ts';

export async function measureSpend(context: SuiteContext): Promise<SuiteReport> {
  const { figures, notes } = await measureStdioCalls(context, pay(), 'external_spend', {
    name: 'byte pipe with two syncs',
    args: ['--sync', join(context.folder, 'synced.bin')],
  });
  return {
    title: 'A spend over stdio',
    figures,
    goals: [
      {
        what: 'spend over stdio, p50',
        limit: { kind: 'at most', figure: 2.7 },
        unit: '×',
        measured: figuresOf(figures, 'gate', 1).p50Ratio,
      },
      {
        what: 'spend over stdio, calls/s with 64 in flight',
        limit: { kind: 'at least', figure: 0.55 },
        unit: '×',
        measured: figuresOf(figures, 'gate', 64).rateRatio,
      },
    ],
    notes,
  };
}
