/** `plimsoll gate`: a gate in front of MCP servers, over standard input and output or over HTTP. */
import { Command, InvalidArgumentError, Option } from 'commander';
import type { AskChannel } from '../gate/policy/verdict.ts';
import { openStdioDownstream } from '../gate/downstream/stdio.ts';
import { LEAST_MESSAGE, MESSAGE_LIMIT } from '../gate/protocol/read-frame.ts';
import { openGateProcess, report } from './gate-process.ts';
import type { PassedEnv } from './option-values.ts';
import { passEnvOption, toServerName, collect } from './option-values.ts';
import { openShutdown } from './until-stopped.ts';

export interface GateFlags {
  readonly config?: string;
  /** Servers that share this gate under the names of their own tools. */
  readonly together?: string;
  readonly url?: string;
  readonly urlEnv?: string;
  readonly header: readonly string[];
  readonly headerEnv: readonly string[];
  readonly bearerEnv?: string;
  readonly passEnv: PassedEnv;
  readonly serverEnvFile?: string;
  readonly name: string;
  readonly http?: HttpAddress;
  /** `true`: anywhere on this machine. */
  readonly console?: HttpAddress | true;
  /** False: no desktop notification. */
  readonly notify: boolean;
  readonly ledger?: string;
  readonly checkpoints?: string;
  readonly policy?: string;
  readonly lock?: string;
  readonly trusted?: true;
  readonly mode?: 'sandbox' | 'live';
  readonly ask: readonly AskChannel[];
  readonly as?: string;
  readonly messageLimit?: number;
}

export interface HttpAddress {
  readonly host: string;
  readonly port: number;
}

const EXAMPLES = `
Reads run. Calls that spend, delete or share wait for a person, who answers with \`plimsoll approve\`
or in the console.

Examples:
  plimsoll gate -- npx -y @modelcontextprotocol/server-filesystem .
  plimsoll gate --pass-env GITHUB_TOKEN -- npx -y @modelcontextprotocol/server-github
  plimsoll gate --url https://mcp.example.com/mcp --name shop
  plimsoll gate --config plimsoll.yaml --http 127.0.0.1:4200 --console 127.0.0.1:4300
  plimsoll gate --ask elicitation -- node server.js
  plimsoll gate --checkpoints /mnt/elsewhere/checkpoints.txt -- node server.js`;

export function gateCommand(): Command {
  return new Command('gate')
    .description('run a gate in front of MCP servers: reads run, a person is asked about the rest')
    .argument('[command...]', 'the command that starts one server; its own options follow it')
    .option('--config <file>', 'plimsoll.yaml: many servers, policy, HTTP and sign-in')
    .option(
      '--together <file>',
      'many servers under their own tool names, as plimsoll wrap writes it',
    )
    .option('--url <url>', 'one server over streamable HTTP instead of a command')
    .option('--header <line>', 'a header for --url, "Name: value"; repeatable', collect, [])
    .option(
      '--url-env <variable>',
      'one server over streamable HTTP, its URL in an environment variable',
    )
    .option(
      '--header-env <name=variable>',
      'a header whose value is in an environment variable, out of sight of other users; repeatable',
      collect,
      [],
    )
    .option('--bearer-env <variable>', 'a bearer token for --url, in an environment variable')
    .addOption(passEnvOption())
    .option(
      '--server-env-file <file>',
      'a file of NAME=value lines with more variables for the server',
    )
    .option(
      '--name <name>',
      'the name of the server in rules, pins and records',
      toServerName,
      'server',
    )
    .option(
      '--http <host:port>',
      'serve clients over HTTP instead of standard input and output',
      toAddress,
    )
    .option(
      '--console [host:port]',
      'open a console of its own instead of the one on demand',
      toAddress,
    )
    .option('--no-notify', 'show no desktop notification when a call waits')
    .option('--ledger <address>', 'where approvals, key records and receipts are stored')
    .option(
      '--checkpoints <file>',
      'append the signed checkpoints of the ledger to this file, best on another machine',
    )
    .option('--policy <file>', 'the policy file')
    .option('--lock <file>', 'the lock file with the pins (default: your own for this folder)')
    .option('--trusted', 'trust what the server says about its own tools')
    .addOption(new Option('--mode <mode>', 'of the one server').choices(['sandbox', 'live']))
    .addOption(
      new Option('--ask <channel>', `how people are asked: ${CHANNELS.join(', ')}; repeatable`)
        .argParser(toChannel)
        .default([], 'as the policy says'),
    )
    .option(
      '--message-limit <bytes>',
      'the largest message taken from a client (default: 4 MiB)',
      toMessageLimit,
    )
    .option('--as <id>', 'who the caller is (default: the user of this process)')
    .passThroughOptions()
    .addHelpText('after', EXAMPLES)
    .action(run);
}

const AT_A_TERMINAL = `plimsoll gate: ready, and waiting for an MCP client on standard input.
A host starts this command by itself: plimsoll wrap puts it into the configurations of your hosts.
Stop with Ctrl-C.
`;

/** Calls in flight get 10 seconds to end; the rest is for servers, pages and the ledger to close. */
const GRACE_MS = 15_000;

/**
 * Closes in reverse order of opening: clients, then the calls in flight and the servers, then the
 * ledger.
 */
async function run(command: readonly string[], flags: GateFlags): Promise<void> {
  // A host that no longer reads what is reported must not end the calls in flight.
  process.stderr.on('error', () => {});
  let sumUp = (): void => {};
  const shutdown = openShutdown(GRACE_MS, (message) => {
    sumUp();
    report(message);
  });
  await using gate = await openGateProcess(command, flags);
  sumUp = gate.sumUp;
  if (flags.http === undefined && gate.http === undefined) {
    await using clients = openStdioDownstream(gate.open(), {
      principal: gate.principal,
      refused: gate.refused,
      ...gate.limits,
    });
    if (process.stdin.isTTY) process.stderr.write(AT_A_TERMINAL);
    await Promise.race([clients.done, shutdown.requested]);
    shutdown.begin();
    // An open input must not keep the process alive.
    process.stdin.destroy();
    return;
  }
  const { openHttpDownstream } = await import('../gate/downstream/http-downstream.ts');
  const { authenticate, principal } = gate;
  const { tokens: _, jwt: __, sessionIdleMinutes, ...http } = gate.http ?? { tokens: [] };
  await using clients = await openHttpDownstream({
    ...http,
    ...flags.http,
    ...gate.limits,
    ...(sessionIdleMinutes !== undefined && { sessionIdleMs: sessionIdleMinutes * 60_000 }),
    ...(authenticate === undefined ? { principal } : { authenticate }),
    openSession: () => gate.open(),
    refused: gate.refused,
    routes: gate.routes,
    report,
  });
  gate.isServedAt(clients.url);
  process.stderr.write(`plimsoll gate: ${clients.mcpUrl}\n`);
  await shutdown.requested;
}

function toAddress(text: string): HttpAddress {
  const [, host = '127.0.0.1', port] = /^(?:(.+):)?(\d{1,5})$/.exec(text) ?? [];
  if (port === undefined || Number(port) > 65_535) {
    throw new InvalidArgumentError('write HOST:PORT, such as 127.0.0.1:4200.');
  }
  return { host, port: Number(port) };
}

function toMessageLimit(text: string): number {
  const bytes = Number(text);
  if (Number.isInteger(bytes) && bytes >= LEAST_MESSAGE && bytes <= MESSAGE_LIMIT) return bytes;
  throw new InvalidArgumentError(`write bytes, from ${LEAST_MESSAGE} to ${MESSAGE_LIMIT}.`);
}

const CHANNELS: readonly string[] = ['elicitation', 'console', 'terminal', 'webhook'];

function toChannel(value: string, before: readonly string[]): readonly string[] {
  if (CHANNELS.includes(value)) return [...before, value];
  throw new InvalidArgumentError(`must be one of ${CHANNELS.join(', ')}.`);
}
