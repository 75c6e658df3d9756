/** The console of a gate: the same ledger and queue, and the servers as this gate sees them. */
import { keptConsoleName } from '../console/console-name.ts';
import type { Console } from '../console/open-console.ts';
import { openConsole } from '../console/open-console.ts';
import type { ServerView } from '../console/console-services.ts';
import type { ServerConfig } from '../gate/config/gate-config.ts';
import type { GateContext, GateServices } from '../gate/gate-services.ts';
import type { Pins } from '../gate/tools/pins.ts';
import { stateFolder } from '../lib/state-folder.ts';
import { CliError, CliFailure } from './cli-error.ts';
import type { HttpAddress } from './gate.ts';
import { serverAddress } from './load-server.ts';
import { toSentence } from './system-error.ts';

export interface GateConsoleInit {
  readonly services: GateServices;
  readonly pins: Pins;
  readonly lock: string;
  readonly servers: readonly SeenServer[];
}

interface SeenServer {
  /** As written, without expanding variables. */
  readonly config: ServerConfig;
  readonly context: GateContext;
}

export async function openGateConsole(
  address: HttpAddress | true,
  { services, pins, lock, servers }: GateConsoleInit,
): Promise<Console> {
  const { ledger, approvals, budgets, now, report } = services;
  const opened = openConsole(
    {
      ledger,
      approvals,
      budgets,
      get policy() {
        return services.policy;
      },
      pins,
      lock,
      servers: () => servers.map(toView),
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
    ? new CliError(text)
    : new CliFailure(text);
}

/** On standard error, which belongs to the person who runs the gate; clients never see it. */
function printLink(link: string): void {
  process.stderr.write(
    `plimsoll gate: sign in to the console with this link, which works once: ${link}\n`,
  );
}

function toView({ config, context: { server } }: SeenServer): ServerView {
  const { name, trusted, mode, sight } = server;
  const { state, era, tools } = sight;
  const address = serverAddress(config);
  return { name, address, state, ...(era !== undefined && { era }), trusted, mode, tools };
}
