/** A read over stdio, with a receipt. */
import { lookUp } from '../invoice-calls.ts';
import type { SuiteContext, SuiteReport } from '../suite.ts';
import { figuresOf, goalsToFloor } from '../suite.ts';
import { measureStdioCalls } from './stdio-calls.ts';

export async function measureStdio(context: SuiteContext): Promise<SuiteReport> {
  const floor = { name: 'byte pipe', args: [] };
  const { figures, notes } = await measureStdioCalls(context, lookUp(), 'read', floor);
  const goals = goalsToFloor('read over stdio', figures, { p50: 1.15, rate: 0.85, cpu: 30 });
  const [gate, pipe] = ['gate', floor.name].map((name) => figuresOf(figures, name, 64).cpu.middle);
  const readme = [
    {
      what: 'CPU for a read over stdio, with its receipt',
      gate: `${gate?.toFixed(0)} µs`,
      compare: `${pipe?.toFixed(0)} µs for a pipe that only copies bytes`,
    },
  ];
  return { title: 'A read over stdio', figures, goals, notes, readme };
}
