/**
 * A test fails when anything in it has a fault: its own process, or a Node process that it or one of
 * those started. A test that provokes a fault says so with `expectFaults`.
 */
import { subscribe } from 'node:diagnostics_channel';
import { afterAll, afterEach } from 'vitest';
import { FAULTS_FILE, takeFaults } from '../support/faults.ts';

const ENVIRONMENT = {
  PLIMSOLL_FAULTS: FAULTS_FILE,
  NODE_OPTIONS: `--import=${new URL('record-faults.mjs', import.meta.url).href}`,
  // No test starts a console in the background or shows a notification, unless it is about that.
  PLIMSOLL_UNATTENDED: '1',
  NODE_COMPILE_CACHE: new URL('../../.cache/compiled', import.meta.url).pathname,
};

/** Clients of the SDK start servers with an environment of their own, so it is not enough to set ours. */
function equip(data: unknown): void {
  const { options } = data as { readonly options: { readonly envPairs: string[] } }; // Node's own
  const { envPairs } = options;
  for (const [name, value] of Object.entries(ENVIRONMENT)) {
    if (!envPairs.some((pair) => pair.startsWith(`${name}=`))) envPairs.push(`${name}=${value}`);
  }
  // Else a gate behind such a client would use the ledger of whoever runs the tests.
  const { XDG_STATE_HOME: state, HOME: home } = process.env;
  const isElsewhere = !envPairs.includes(`HOME=${home}`);
  const isStated = envPairs.some((pair) => pair.startsWith('XDG_STATE_HOME='));
  if (state !== undefined && !isElsewhere && !isStated) envPairs.push(`XDG_STATE_HOME=${state}`);
}

function failOnFaults(): void {
  const faults = takeFaults();
  if (faults.length > 0) throw new Error(`a fault of the code under test:\n${faults.join('\n')}`);
}

if (process.env['PLIMSOLL_FAULTS'] !== FAULTS_FILE) {
  process.env['PLIMSOLL_FAULTS'] = FAULTS_FILE;
  subscribe('tracing:child_process.spawn:start', equip);
  await import('./record-faults.mjs');
}
afterEach(failOnFaults);
afterAll(failOnFaults);
