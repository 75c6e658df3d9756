/**
 * The conformance fixture behind `plimsoll gate`, HTTP to HTTP: each scenario ends there as it ends
 * without the gate.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openFixture } from '../conformance/fixture-server.ts';
import type { Scenario } from '../conformance/run-suite.ts';
import { runSuite } from '../conformance/run-suite.ts';
import { openHttpGate } from './gate-process.ts';

const POLICY = 'rules:\n  - name: all\n    then: allow\n    repeats: allow\n';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-gate-conformance-'));
  writeFileSync(join(folder, 'policy.yaml'), POLICY);
});

afterAll(() => rmSync(folder, { recursive: true }));

async function runGated(revision: string): Promise<readonly Scenario[]> {
  await using fixture = await openFixture();
  const policy = join(folder, 'policy.yaml');
  const flags = ['--url', fixture.mcpUrl, '--policy', policy, '--ledger', 'sqlite::memory:'];
  await using gate = await openHttpGate(flags);
  return (await runSuite(gate.url.href, revision)).scenarios;
}

async function runDirectly(revision: string): Promise<readonly Scenario[]> {
  await using fixture = await openFixture();
  return (await runSuite(fixture.mcpUrl, revision)).scenarios;
}

/** What every scenario came to, without the words in which a failure is told. */
function toResults(scenarios: readonly Scenario[]): Readonly<Record<string, readonly string[]>> {
  const entries = scenarios.map(({ name, checks }) => {
    const lines = checks.map(({ id, status }) => `${status} ${id}`);
    return [name, lines.toSorted()] as const;
  });
  return Object.fromEntries(entries);
}

describe('the conformance suite through the gate', () => {
  it.each(['2025-11-25', '2026-07-28'])(
    'conformance %s: every scenario ends as it does without the gate',
    { timeout: 400_000 },
    async (revision) => {
      const [direct, gated] = await Promise.all([runDirectly(revision), runGated(revision)]);
      expect(Object.keys(toResults(direct)).length).toBeGreaterThan(30);
      expect(toResults(gated)).toEqual(toResults(direct));
    },
  );
});
