import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { describe, expect, it } from 'vitest';
import { HINT_NAMES } from '../../effect/hints.ts';
import { decideHost, HOSTS } from './decide-host.ts';
import type { Host } from './decide-host.ts';
import table from './hosts.cases.json' with { type: 'json' };
import data from './hosts.json' with { type: 'json' };
import { toSourceTable } from './host-table.ts';

const state = z.union([z.boolean(), z.literal('absent')]);
const row = z.strictObject({
  when: z
    .strictObject({
      hints: z.partialRecord(z.enum(HINT_NAMES), z.union([state, z.array(state)])).optional(),
      meta: z.record(z.string(), z.boolean()).optional(),
    })
    .optional(),
  answer: z.enum(['free', 'asks', 'refuses', 'unknown']),
  because: z.string().min(10),
  source: z.string().min(10),
  date: z.iso.date(),
  secondHand: z.literal(true).optional(),
});
const text = z.string().min(3);
const file = z.strictObject({
  hosts: z.array(
    z.strictObject({ id: text, name: text, short: text, setting: text, rows: z.array(row).min(1) }),
  ),
});

function hostOf(id: string): Host {
  const host = HOSTS.find((one) => one.id === id);
  if (host === undefined) throw new Error(`no host ${id}`);
  return host;
}

describe('the file of hosts', () => {
  it('has the shape that the code takes it to have, with a source and a date for every row', () => {
    expect(file.safeParse(data).error).toBeUndefined();
  });

  it('names each host once and ends each with a row that always holds', () => {
    expect(new Set(HOSTS.map(({ id }) => id)).size).toBe(HOSTS.length);
    const early = HOSTS.filter(
      ({ rows }) => rows.findIndex(({ when }) => when === undefined) !== rows.length - 1,
    );
    expect(early).toEqual([]);
  });

  it('is what the page tells', () => {
    expect(readFileSync('docs/hosts-and-hints.md', 'utf8')).toContain(`\n${toSourceTable()}\n`);
  });
});

describe('decideHost', () => {
  const all = table.cases.flatMap(({ name, tool, answers }) =>
    Object.entries(answers).map(([id, answer]) => ({ name, tool, id, answer })),
  );

  it.each(all)('$name: $id → $answer', ({ tool, id, answer }) => {
    expect(decideHost(hostOf(id), tool).answer).toBe(answer);
  });

  it('tells why, and by which row', () => {
    const decision = decideHost(hostOf('codex'), { annotations: { destructiveHint: true } });
    expect(decision.because).toContain('outweighs');
    expect(decision.row?.source).toContain('openai/codex');
  });

  it('does not take a hint from the prototype', () => {
    const annotations = Object.create({ readOnlyHint: true }) as object;
    expect(decideHost(hostOf('vscode'), { annotations }).answer).toBe('asks');
  });
});
