/** Ends the console of a ledger that runs in the background; one at a terminal ends with Ctrl-C. */
import { setTimeout as wait } from 'node:timers/promises';
import { findProcess } from '../console/console-process.ts';
import { askPort, keptPlace } from '../console/running-console.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import { stateFolder } from '../lib/state-folder.ts';
import { CliFailure } from './cli-error.ts';

const LOOK_EVERY_MS = 50;
const STOP_MS = 15_000;

export async function stopConsole(ledger: OpenLedger, address: string): Promise<void> {
  const { url, port } = await keptPlace(stateFolder(), address);
  const running = findProcess(stateFolder(), address);
  // Where the process id says nothing about a start time, only the port tells that it was not reused.
  const isThere = async (): Promise<boolean> => {
    const found = await askPort(port, ledger.keys.consoleKey);
    if (found !== 'silent') return found === 'ours';
    return running?.port === port && findProcess(stateFolder(), address)?.pid === running.pid;
  };
  if (!(await isThere())) throw new CliFailure('no console runs in the background for this ledger');
  if (running?.background !== true) {
    throw new CliFailure(`the console at ${url} runs at a terminal; end it there with Ctrl-C`);
  }
  process.kill(running.pid, 'SIGTERM');
  const until = Date.now() + STOP_MS;
  while (await isThere()) {
    if (Date.now() > until) {
      throw new CliFailure(
        `the console at ${url} was told to end and has not; its process is ${running.pid}`,
      );
    }
    await wait(LOOK_EVERY_MS);
  }
  process.stderr.write(`plimsoll console: stopped at ${url}\n`);
}
