/** A read over stdio, with a receipt. */
import { lookUp } from '../invoice-calls.ts';
import type { SuiteContext, SuiteReport } from '../suite.ts';
import { goalsToFloor } from '../suite.ts';
import { measureStdioCalls } from './stdio-calls.ts';

export async function measureStdio(context: SuiteContext): Promise<SuiteReport> {
  const floor = { name: 'byte pipe', args: [] };
  const { figures, notes } = await measureStdioCalls(context, lookUp(), 'read', floor);
  const goals = goalsToFloor('read over stdio', figures, { p50: 1.15, rate: 0.85, cpu: 30 });
  return { title: 'A read over stdio', figures, goals, notes };
}
