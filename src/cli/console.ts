/** `plimsoll console`: the one console of a user for a ledger, in front or in the background. */
import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { Command, Option } from 'commander';
import { findProcess, keepProcess } from '../console/console-process.ts';
import { EntryLinks } from '../console/door/sessions.ts';
import type { Console } from '../console/open-console.ts';
import { openConsole } from '../console/open-console.ts';
import { openGatePins } from '../console/gate-pins.ts';
import { openRegistryView } from '../console/registry-view.ts';
import type { ConsolePlace } from '../console/running-console.ts';
import { askPort, dropPort, keptPlace } from '../console/running-console.ts';
import { openApprovals } from '../gate/approvals/approvals.ts';
import { toLedgerHint } from '../gate/approvals/waiting-text.ts';
import { DEFAULT_POLICY } from '../gate/policy/policy.ts';
import { openPins } from '../gate/tools/pins.ts';
import { openBudgets } from '../gate/call/budgets.ts';
import { defaultLedgerAddress } from '../ledger/default-address.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import { openLedger, sqliteFile } from '../ledger/open-ledger.ts';
import { Secret } from '../lib/secret.ts';
import { stateFolder } from '../lib/state-folder.ts';
import { CliError } from './cli-error.ts';
import { LEDGER_VARIABLE, openConsoleOnDemand } from './console-on-demand.ts';
import { runOnDesktop, toBrowserCommand } from './desktop.ts';
import { ownConsoleName, toConsoleError } from './gate-console.ts';
import { loadPolicyFile } from './gate-plan.ts';
import { LEDGER_OPTION, toLedgerAddress, withLedger } from './ledger-access.ts';
import { stopConsole } from './stop-console.ts';
import { untilStopped } from './until-stopped.ts';
import { toPort } from './option-values.ts';

interface ConsoleFlags {
  readonly ledger?: string;
  readonly open?: true;
  readonly stop?: true;
  readonly background?: true;
  readonly idleMinutes: number;
  readonly host?: string;
  readonly port?: number;
  readonly url?: string;
  readonly iKnowOthersCanReachIt?: true;
  readonly policy?: string;
  readonly lock?: string;
  readonly as?: string;
  readonly apiTokenEnv?: string;
}

const LEAST_TOKEN = 32;
const IDLE_MINUTES = 15;
const LOOK_EVERY_MS = 2000;
const TRY_AGAIN_MS = 200;
/** Whatever has had the port for so many tries without saying that it is our console is a stranger. */
const SURE_AFTER = 3;
/** Each time a stranger has the port, another one is tried. */
const MOST_TRIES = 8;

const EXAMPLES = `
The first question of a gate starts the console in the background, always at the same address; it ends
when nobody has used it for a while. --open signs your browser in, once for 90 days.

Examples:
  plimsoll console --open
  plimsoll console --stop
  plimsoll console                                        in this terminal, until Ctrl-C
  plimsoll console --ledger postgres://plimsoll@db/plimsoll --port 4300
  plimsoll console --url https://plimsoll.example.com     behind a proxy with TLS
  plimsoll console --port 4300 --url http://127.0.0.1:4300
      for a browser that cannot find names under .localhost; every program with a port on this
      machine that the browser visits then gets its session`;

export function consoleCommand(): Command {
  return new Command('console')
    .description('see what is waiting, what ran and what it cost; approve or decline calls')
    .option(...LEDGER_OPTION)
    .option('--open', 'start it in the background unless it runs, and sign your browser in')
    .option('--stop', 'end the one that runs in the background')
    .option('--port <number>', 'port (default: one of your own, kept for each ledger)', toPort)
    .option('--host <address>', 'address to listen on (default: 127.0.0.1)')
    .option('--i-know-others-can-reach-it', 'required for a --host that other machines can reach')
    .option('--url <url>', 'public URL, when behind a proxy')
    .option('--policy <file>', 'the policy to display (default: the one of the gate seen last)')
    .option('--lock <file>', 'the lock file with the pins (default: the one of each gate)')
    .option('--as <name>', 'who answers (default: the current user)')
    .option('--api-token-env <name>', 'the environment variable with the API token for scripts')
    .addOption(new Option('--background', 'as a gate starts it').hideHelp())
    .addOption(
      new Option('--idle-minutes <number>').argParser(Number).default(IDLE_MINUTES).hideHelp(),
    )
    .addHelpText('after', EXAMPLES)
    .action(run);
}

async function run(flags: ConsoleFlags): Promise<void> {
  const given = flags.background ? process.env[LEDGER_VARIABLE] : undefined;
  const address = await toLedgerAddress(given ?? flags.ledger);
  if (flags.ledger === undefined && flags.stop === undefined) await createLedger(address);
  await withLedger(address, async (ledger) => {
    if (flags.open) return signBrowserIn(ledger, address);
    if (flags.stop) return stopConsole(ledger, address);
    const opened = await open(ledger, address, flags);
    if ('running' in opened) {
      if (flags.background) return undefined;
      process.stderr.write(`plimsoll console: already running at ${opened.running.url}\n`);
      return printLink(await toLink(ledger, opened.running));
    }
    await using pages = opened;
    const { background = false } = flags;
    using _process = isAtOwnPlace(flags)
      ? keepProcess(stateFolder(), address, { port: pages.port, background })
      : undefined;
    if (background) return await untilIdle(pages, ledger, flags.idleMinutes * 60_000);
    printLink(pages.link);
    return await untilStopped();
  });
}

/** The user's own: whoever does what wrap says next comes here before the first gate has made it. */
async function createLedger(address: string): Promise<void> {
  const file = sqliteFile(address);
  if (file !== undefined && !existsSync(file)) {
    await (await openLedger(address))[Symbol.asyncDispose]();
  }
}

async function signBrowserIn(ledger: OpenLedger, address: string): Promise<void> {
  const link = await toLink(
    ledger,
    await (await openConsoleOnDemand({ address, ledger, isAwaited: true })).ensure(),
  );
  printLink(link);
  const isOpened = await runOnDesktop(toBrowserCommand(process.platform, link));
  if (!isOpened) {
    process.stderr.write(
      'plimsoll console: no browser could be opened here; open the link yourself\n',
    );
  }
}

async function toLink(ledger: OpenLedger, { url }: ConsolePlace): Promise<string> {
  const links = new EntryLinks({ store: ledger.store, now: Date.now, place: () => url });
  return `${url}/enter?token=${await links.mint()}`;
}

/** While a page is open or a question waits, it is needed. */
async function untilIdle(pages: Console, ledger: OpenLedger, idleMs: number): Promise<void> {
  const approvals = openApprovals(ledger.store);
  const stopped = untilStopped().then(() => 'stopped' as const);
  while ((await Promise.race([stopped, wait(Math.min(LOOK_EVERY_MS, idleMs))])) !== 'stopped') {
    if (Date.now() - pages.usedAt() < idleMs) continue;
    await approvals.sweep();
    if ((await approvals.listPending()).length === 0) return;
  }
}

/** At the address that was asked for, or at the user's own, where one may run already. */
async function open(
  ledger: OpenLedger,
  address: string,
  flags: ConsoleFlags,
): Promise<Console | { readonly running: ConsolePlace }> {
  if (!isAtOwnPlace(flags)) {
    const place = { name: await ownConsoleName(), port: flags.port ?? 0 };
    return openAt({ ledger, address }, flags, place);
  }
  for (let tries = 1; ; tries += 1) {
    const place = await keptPlace(stateFolder(), address);
    try {
      return await openAt({ ledger, address }, flags, place);
    } catch (error) {
      const { cause } = error as { readonly cause?: NodeJS.ErrnoException };
      if (cause?.code !== 'EADDRINUSE' || tries === MOST_TRIES) throw error;
    }
    const found = await askPort(place.port, ledger.keys.consoleKey);
    // One that is slow to answer is still the one.
    const isSlow = found === 'silent' && findProcess(stateFolder(), address)?.port === place.port;
    if (found === 'ours' || isSlow) return { running: place };
    // Another console may be about to end, or not have written down its process yet.
    if (found === 'stranger' || tries >= SURE_AFTER) {
      dropPort(stateFolder(), address, place.port);
    } else await wait(TRY_AGAIN_MS);
  }
}

function isAtOwnPlace({ host, port, url }: ConsoleFlags): boolean {
  return host === undefined && port === undefined && url === undefined;
}

interface Opened {
  readonly ledger: OpenLedger;
  readonly address: string;
}

async function openAt(
  { ledger, address }: Opened,
  flags: ConsoleFlags,
  { name, port }: Pick<ConsolePlace, 'name' | 'port'>,
): Promise<Console> {
  const { host, url, lock, as: who } = flags;
  const apiToken = flags.apiTokenEnv === undefined ? undefined : readToken(flags.apiTokenEnv);
  if (lock !== undefined && !existsSync(lock)) throw new CliError(`${lock} does not exist`);
  const policy = flags.policy === undefined ? undefined : await loadPolicyFile(flags.policy);
  // Gates that share a database may run on other machines.
  const registry = openRegistryView(ledger.store, sqliteFile(address) !== undefined);
  try {
    return await openConsole(
      {
        ledger,
        ...(address !== defaultLedgerAddress() && { ledgerHint: toLedgerHint(address) }),
        approvals: openApprovals(ledger.store),
        budgets: openBudgets(ledger.store),
        get policy() {
          return policy ?? registry.policy() ?? DEFAULT_POLICY;
        },
        ...(lock !== undefined && { lock }),
        pins: lock === undefined ? openGatePins(registry.servers) : openPins(lock),
        servers: registry.servers,
        alike: registry.alike,
        refresh: registry.refresh,
        now: Date.now,
        report,
      },
      {
        ...(host !== undefined && { host }),
        port,
        name,
        ...(flags.iKnowOthersCanReachIt && { othersCanReachIt: true }),
        ...(url !== undefined && { publicUrl: url }),
        ...(who !== undefined && { who }),
        ...(apiToken !== undefined && { apiToken }),
        ...(!flags.background && { onLink: printLink }),
      },
    );
  } catch (error) {
    throw toConsoleError(error);
  }
}

function readToken(name: string): Secret {
  const token = process.env[name] ?? '';
  if (token.length >= LEAST_TOKEN) return new Secret(token);
  throw new CliError(`${name} must contain a token of at least ${LEAST_TOKEN} characters`);
}

function printLink(link: string): void {
  process.stderr.write(`plimsoll console: sign in with this link, which works once: ${link}\n`);
}

function report(message: string, cause?: unknown): void {
  const why = cause instanceof Error ? `: ${cause.message}` : '';
  process.stderr.write(`plimsoll console: ${message}${why}\n`);
}
