/**
 * The official conformance suite against a server made with the kit. What it calls a warning (a
 * SHOULD that is not met) counts as a failure here.
 */
import { describe, expect, it } from 'vitest';
import { openFixture } from './fixture-server.ts';
import type { Scenario } from './run-suite.ts';
import { runSuite } from './run-suite.ts';

/** Extensions that no server has to have: long-running tasks and skills. */
const OPTIONAL = /^(?:tasks|sep-2640)-/;

const REVISIONS = [
  { revision: '2025-11-25', scenarios: 33, checks: 84 },
  { revision: '2026-07-28', scenarios: 40, checks: 151 },
];

describe('the conformance suite', () => {
  it.each(REVISIONS)(
    'conformance $revision: every scenario holds that is not of an optional extension',
    { timeout: 200_000 },
    async ({ revision, scenarios, checks }) => {
      await using fixture = await openFixture();
      const run = await runSuite(fixture.mcpUrl, revision);
      const required = run.scenarios.filter(({ name }) => !OPTIONAL.test(name));

      expect(required.flatMap(brokenChecks)).toEqual([]);
      expect(run.exitCode === 0 ? 'in order' : run.output.slice(-2000)).toBe('in order');
      // Counted in a full run, so that one that tests little does not pass.
      expect(required.filter((scenario) => heldChecks(scenario) > 0)).toHaveLength(scenarios);
      expect(required.reduce((sum, scenario) => sum + heldChecks(scenario), 0)).toBe(checks);
      expect(required.map(({ name }) => name)).toContain('dns-rebinding-protection');
    },
  );
});

function brokenChecks({ name, checks }: Scenario): readonly string[] {
  return checks
    .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
    .map(({ id, status, description, errorMessage }) => {
      return `${name}: ${status} ${id}: ${errorMessage ?? description}`;
    });
}

function heldChecks({ checks }: Scenario): number {
  return checks.filter(({ status }) => status === 'SUCCESS').length;
}
