/** A read over stdio, with a receipt. */
import { lookUp } from '../invoice-calls.ts';
import type { SuiteContext, SuiteReport } from '../suite.ts';
import { figuresOf, goalsToFloor } from '../suite.ts';
import { measureStdioCalls } from './stdio-calls.ts';

export async function measureStdio(context: SuiteContext): Promise<SuiteReport> {
  const floor = { name: 'byte pipe', args: [] };
  const { figures, notes } = await measureStdioCalls(context, lookUp(), 'read', floor);
  const goals = goalsToFloor('read over stdio', figures, { p50: 1.15, rate: 0.85, cpu: 30 });
  const [time, directTime] = ['gate', 'direct'].map(
    (name) => figuresOf(figures, name, 1).p50.median,
  );
  const [gate, pipe] = ['gate', floor.name].map((name) => figuresOf(figures, name, 64).cpu.middle);
  const readme = [
    {
      what: 'time of a read over stdio, one at a time',
      gate: `${time?.toFixed(2)} ms`,
      compare: `${directTime?.toFixed(2)} ms without a gate`,
    },
    {
      what: 'CPU for a read with its receipt, 64 at a time',
      gate: `${gate?.toFixed(0)} µs, and 20 to 30 µs later for the search index`,
      compare: `${pipe?.toFixed(0)} µs for a pipe that only copies bytes`,
    },
  ];
  return { title: 'A read over stdio', figures, goals, notes, readme };
}
