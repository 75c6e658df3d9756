/** A spend over stdio that a rule allows: intent durable before it is sent, result before it is answered. */
import { join } from 'node:path';
import { pay } from '../invoice-calls.ts';
import type { SuiteContext, SuiteReport } from '../suite.ts';
import { goalsToFloor } from '../suite.ts';
import { measureStdioCalls } from './stdio-calls.ts';

export async function measureSpend(context: SuiteContext): Promise<SuiteReport> {
  const { figures, notes } = await measureStdioCalls(context, pay(), 'external_spend', {
    name: 'byte pipe with two syncs',
    args: ['--sync', join(context.folder, 'synced.bin')],
  });
  const goals = goalsToFloor('spend over stdio', figures, { p50: 1.5, rate: 0.5, cpu: 150 });
  return { title: 'A spend over stdio', figures, goals, notes };
}
