/** A read over stdio, with a receipt. */
import { lookUp } from '../invoice-calls.ts';
import type { SuiteContext, SuiteReport } from '../suite.ts';
import { figuresOf } from '../suite.ts';
import { measureStdioCalls } from './stdio-calls.ts';

export async function measureStdio(context: SuiteContext): Promise<SuiteReport> {
  const { figures, notes } = await measureStdioCalls(context, lookUp(), 'read', {
    name: 'byte pipe',
    args: [],
  });
  return {
    title: 'A read over stdio',
    figures,
    goals: [
      {
        what: 'read over stdio, p50',
        limit: { kind: 'at most', figure: 1.35 },
        unit: '×',
        measured: figuresOf(figures, 'gate', 1).p50Ratio,
      },
      {
        what: 'read over stdio, calls/s with 64 in flight',
        limit: { kind: 'at least', figure: 0.8 },
        unit: '×',
        measured: figuresOf(figures, 'gate', 64).rateRatio,
      },
    ],
    notes,
  };
}
