/**
 * The one console of a user for a ledger, started in the background when it is first needed. Several gates
 * may want it at the same time: the port decides who runs it, and the others use that one.
 */
import { spawn } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import type { ConsoleProcess } from '../console/console-process.ts';
import { findProcess } from '../console/console-process.ts';
import type { ConsolePlace } from '../console/running-console.ts';
import { askPort, keptPlace } from '../console/running-console.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import { stateFolder } from '../lib/state-folder.ts';
import { CliFailure } from './cli-error.ts';

/** The background process takes the address from here: it may hold a password, and others see arguments. */
export const LEDGER_VARIABLE = 'PLIMSOLL_CONSOLE_LEDGER';
/** Nobody sits at this machine: no console is started and no notification is shown. */
const UNATTENDED_VARIABLE = 'PLIMSOLL_UNATTENDED';

const START_MS = 20_000;
const LOOK_EVERY_MS = 100;

/** What a console needs of the environment; the tokens of servers are not among it. */
const PASSED = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'LANG',
  'TZ',
  'TMPDIR',
  'XDG_STATE_HOME',
  'XDG_CACHE_HOME',
  'XDG_RUNTIME_DIR',
  'PLIMSOLL_LEDGER_KEY',
  'PGPASSFILE',
  'NODE_OPTIONS',
  'SystemRoot',
  'USERPROFILE',
  'APPDATA',
  'LOCALAPPDATA',
  'TEMP',
];

export interface ConsoleOnDemand {
  /** The page of a question. */
  readonly urlOf: (id: string) => string;
  /** Starts it unless it runs. Rejects with a sentence for people. */
  readonly ensure: () => Promise<ConsolePlace>;
}

interface OnDemandInit {
  readonly address: string;
  readonly ledger: OpenLedger;
  /** Whether the process must not end before it runs. */
  readonly isAwaited?: boolean;
}

export function isUnattended(): boolean {
  return (process.env[UNATTENDED_VARIABLE] ?? '') !== '';
}

export async function openConsoleOnDemand(init: OnDemandInit): Promise<ConsoleOnDemand> {
  const { address, ledger, isAwaited = false } = init;
  const key = ledger.keys.consoleKey;
  let place = await keptPlace(stateFolder(), address);
  let starting: Promise<ConsolePlace> | undefined;

  /** A new one may have moved to another port, away from a stranger. */
  const look = async (): Promise<Awaited<ReturnType<typeof askPort>>> => {
    place = await keptPlace(stateFolder(), address);
    return askPort(place.port, key);
  };
  /** It runs, and is only too slow to answer. */
  const findSlow = (): ConsoleProcess | undefined => {
    const running = findProcess(stateFolder(), address);
    return running?.port === place.port ? running : undefined;
  };
  const start = async (): Promise<ConsolePlace> => {
    const found = await look();
    if (found === 'ours') return place;
    if (found !== 'silent' || findSlow() === undefined) startInBackground(address);
    const until = Date.now() + START_MS;
    while (Date.now() < until) {
      await wait(LOOK_EVERY_MS, undefined, { ref: isAwaited });
      if ((await look()) === 'ours') return place;
    }
    const slow = findSlow();
    throw new CliFailure(
      slow === undefined
        ? 'the console did not start; run plimsoll console in a terminal to see why'
        : `the console at ${place.url} does not answer (process ${slow.pid}); end it with plimsoll console --stop`,
    );
  };
  return {
    urlOf: (id) => `${place.url}/approvals/${id}`,
    ensure: () => {
      starting ??= start().finally(() => {
        starting = undefined;
      });
      return starting;
    },
  };
}

function startInBackground(address: string): void {
  // The program that runs now: where this module is differs between the sources and the package.
  const program = process.argv[1] ?? '';
  const env = Object.fromEntries(
    PASSED.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );
  const child = spawn(process.execPath, [...process.execArgv, program, 'console', '--background'], {
    cwd: stateFolder(),
    detached: true,
    stdio: 'ignore',
    windowsHide: true,
    env: { ...env, [LEDGER_VARIABLE]: address },
  });
  // Whether it runs is seen at its port.
  child.on('error', () => {});
  child.unref();
}
