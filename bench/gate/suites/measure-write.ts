/** An ordinary write over stdio: its receipt is durable before its answer leaves. */
import { join } from 'node:path';
import { annotate } from '../invoice-calls.ts';
import type { SuiteContext, SuiteReport } from '../suite.ts';
import { goalsToFloor } from '../suite.ts';
import { measureStdioCalls } from './stdio-calls.ts';

export async function measureWrite(context: SuiteContext): Promise<SuiteReport> {
  const { figures, notes } = await measureStdioCalls(context, annotate(), 'compute', {
    name: 'byte pipe with one sync',
    args: ['--sync-answers', join(context.folder, 'synced-once.bin')],
  });
  const goals = goalsToFloor('ordinary write over stdio', figures, {
    p50: 1.3,
    rate: 0.6,
    cpu: 100,
  });
  return { title: 'An ordinary write over stdio', figures, goals, notes };
}
