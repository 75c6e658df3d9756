/** The console of a gate: the same ledger and queue, its own servers as it sees them, and those of other gates. */
import { keptConsoleName } from '../console/console-name.ts';
import type { Console } from '../console/open-console.ts';
import { openConsole } from '../console/open-console.ts';
import type { ServerView } from '../console/console-services.ts';
import { openGatePins } from '../console/gate-pins.ts';
import { openRegistryView } from '../console/registry-view.ts';
import type { GateServices } from '../gate/gate-services.ts';
import type { Pins } from '../gate/tools/pins.ts';
import { sqliteFile } from '../ledger/open-ledger.ts';
import { stateFolder } from '../lib/state-folder.ts';
import { CliError, CliFailure } from './cli-error.ts';
import type { HttpAddress } from './gate.ts';
import type { SeenServer } from './server-view.ts';
import { toServerView } from './server-view.ts';
import { toSentence } from './system-error.ts';

export interface GateConsoleInit {
  readonly services: GateServices;
  readonly pins: Pins;
  /** Of the ledger. */
  readonly ledgerAddress: string;
  readonly servers: readonly SeenServer[];
}

export async function openGateConsole(
  address: HttpAddress | true,
  { services, pins, ledgerAddress, servers }: GateConsoleInit,
): Promise<Console> {
  const { ledger, approvals, budgets, ledgerHint, now, report } = services;
  // Gates that share a database may run on other machines.
  const registry = openRegistryView(ledger.store, sqliteFile(ledgerAddress) !== undefined);
  const names = new Set(servers.map(({ config }) => config.name));
  const listAll = (): readonly ServerView[] => [
    ...servers.map(toServerView),
    ...registry.servers().filter(({ name }) => !names.has(name)),
  ];
  const opened = openConsole(
    {
      ledger,
      ...(ledgerHint !== undefined && { ledgerHint }),
      approvals,
      budgets,
      get policy() {
        return services.policy;
      },
      pins: openGatePins(listAll, { names, pins }),
      servers: listAll,
      alike: (name) => {
        const own = servers.map(toServerView).filter((server) => server.name === name);
        const others = registry
          .alike(name)
          .filter(
            ({ lock, lockElsewhere }) =>
              !own.some((server) => server.lock === (lock ?? lockElsewhere)),
          );
        return [...own, ...others];
      },
      refresh: registry.refresh,
      now,
      report,
    },
    { ...(address !== true && address), name: await ownConsoleName(), onLink: printLink },
  );
  const pages = await opened.catch((error: unknown) => {
    throw toConsoleError(error);
  });
  printLink(pages.link);
  return pages;
}

/** One for each user, so that the address of the console stays the same. */
export function ownConsoleName(): Promise<string> {
  return keptConsoleName(stateFolder());
}

/** An address that is in use is no mistake in what was given. */
export function toConsoleError(error: unknown): CliError {
  const text = `the console cannot be opened: ${toSentence(error as Error)}`;
  return (error as NodeJS.ErrnoException).code === undefined
    ? new CliError(text, { cause: error })
    : new CliFailure(text, { cause: error });
}

/** On standard error, which belongs to the person who runs the gate; clients never see it. */
function printLink(link: string): void {
  process.stderr.write(
    `plimsoll gate: sign in to the console with this link, which works once: ${link}\n`,
  );
}
