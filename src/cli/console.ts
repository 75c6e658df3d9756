/** `plimsoll console`: a standalone console, for a ledger that gates elsewhere write to. */
import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { openConsole } from '../console/open-console.ts';
import { openApprovals } from '../gate/approvals/approvals.ts';
import { DEFAULT_POLICY } from '../gate/policy/policy.ts';
import { openPins } from '../gate/tools/pins.ts';
import { openBudgets } from '../gate/call/budgets.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import { Secret } from '../lib/secret.ts';
import { CliError } from './cli-error.ts';
import { ownConsoleName, toConsoleError } from './gate-console.ts';
import { loadPolicyFile } from './gate-plan.ts';
import { LEDGER_OPTION, withLedger } from './ledger-access.ts';
import { untilStopped } from './until-stopped.ts';
import { toPort } from './option-values.ts';

interface ConsoleFlags {
  readonly ledger?: string;
  readonly host: string;
  readonly port: number;
  readonly url?: string;
  readonly iKnowOthersCanReachIt?: true;
  readonly policy?: string;
  readonly lock?: string;
  readonly as?: string;
  readonly apiTokenEnv?: string;
}

const LEAST_TOKEN = 32;

const EXAMPLES = `
A gate with --console has its own; this one is for a ledger that several gates share.

Examples:
  plimsoll console
  plimsoll console --ledger postgres://plimsoll@db/plimsoll --port 4300
  plimsoll console --url https://plimsoll.example.com     behind a proxy with TLS
  plimsoll console --port 4300 --url http://127.0.0.1:4300
      for a browser that cannot find names under .localhost; every program with a port on this
      machine that the browser visits then gets its session`;

export function consoleCommand(): Command {
  return new Command('console')
    .description('see what is pending, what ran and what it cost; approve or decline calls')
    .option(...LEDGER_OPTION)
    .option('--port <number>', 'port (default: any free one)', toPort, 0)
    .option('--host <address>', 'address to listen on', '127.0.0.1')
    .option('--i-know-others-can-reach-it', 'required for a --host that other machines can reach')
    .option('--url <url>', 'public URL, when behind a proxy')
    .option('--policy <file>', 'the policy file of the gates, to display')
    .option('--lock <file>', 'the lock file of the gates, to display')
    .option('--as <name>', 'who answers (default: the current user)')
    .option('--api-token-env <name>', 'the environment variable with the API token for scripts')
    .addHelpText('after', EXAMPLES)
    .action(run);
}

async function run(flags: ConsoleFlags): Promise<void> {
  await withLedger(flags.ledger, async (ledger) => {
    await using pages = await open(ledger, flags);
    printLink(pages.link);
    await untilStopped();
  });
}

async function open(ledger: OpenLedger, flags: ConsoleFlags): ReturnType<typeof openConsole> {
  const { host, port, url, lock, as: who } = flags;
  const apiToken = flags.apiTokenEnv === undefined ? undefined : readToken(flags.apiTokenEnv);
  if (lock !== undefined && !existsSync(lock)) throw new CliError(`${lock} does not exist`);
  const policy = flags.policy === undefined ? DEFAULT_POLICY : await loadPolicyFile(flags.policy);
  try {
    return await openConsole(
      {
        ledger,
        approvals: openApprovals(ledger.store),
        budgets: openBudgets(ledger.store),
        policy,
        ...(lock !== undefined && { lock, pins: openPins(lock) }),
        servers: () => [],
        now: Date.now,
        report,
      },
      {
        host,
        port,
        name: await ownConsoleName(),
        ...(flags.iKnowOthersCanReachIt && { othersCanReachIt: true }),
        ...(url !== undefined && { publicUrl: url }),
        ...(who !== undefined && { who }),
        ...(apiToken !== undefined && { apiToken }),
        onLink: printLink,
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
