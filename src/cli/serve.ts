/** `plimsoll serve`: runs a server over HTTP on this machine, or over standard input and output. */
import { randomBytes } from 'node:crypto';
import { Command, InvalidArgumentError } from 'commander';
import type { Principal } from '../effect/operation.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import type { ServeContext } from '../serve/create-server.ts';
import { openHttp } from '../serve/http/open-http.ts';
import { openStdio } from '../serve/open-stdio.ts';
import { staticTokens } from '../serve/static-tokens.ts';
import { checkAnswers } from './check.ts';
import { CliError } from './cli-error.ts';
import { toLedgerFailure } from './ledger-failure.ts';
import { describeServer, loadServer } from './load-server.ts';
import { openShutdown } from './until-stopped.ts';
import { collectScopes, toPort } from './option-values.ts';

interface ServeFlags {
  readonly stdio?: true;
  readonly port?: number;
  readonly host: string;
  readonly as?: string;
  readonly tenant?: string;
  readonly grant: readonly string[];
  readonly token?: string;
  readonly ledger?: string;
  readonly checkpoints?: string;
  readonly grace: number;
  readonly check?: true;
}

const EXAMPLES = `
Examples:
  plimsoll serve examples/catalog
  plimsoll serve examples/catalog --port 4100 --grant qr:write
  plimsoll serve examples/catalog --ledger sqlite:ledger.sqlite
  plimsoll serve examples/catalog --stdio --as alice --grant qr:write
  plimsoll serve ./my-server.ts --check`;

const CLOSE_MS = 10_000;

export function serveCommand(): Command {
  return new Command('serve')
    .description('serve a server built with the kit, over HTTP or stdio')
    .argument('<server>', 'a module, or a folder whose package.json has "main"')
    .option('--stdio', 'speak MCP over standard input and output instead of HTTP')
    .option('--port <number>', 'HTTP port (default: any free one)', toPort)
    .option('--host <name>', 'HTTP address to bind', '127.0.0.1')
    .option(
      '--as <id>',
      'who the caller is, for development (default: "developer" if it is granted anything)',
    )
    .option('--tenant <id>', 'which organisation the caller belongs to, for development')
    .option(
      '--grant <scope>',
      'a scope the caller holds, for development; repeatable',
      collectScopes,
      [],
    )
    .option('--token <token>', 'the bearer token for --grant over HTTP (default: a random one)')
    .option(
      '--ledger <address>',
      'where key records and receipts are stored: sqlite:FILE or postgres://…',
    )
    .option('--checkpoints <file>', 'also append signed checkpoints of the ledger to this file')
    .option(
      '--grace <seconds>',
      'how long calls that run may take when the server is stopped',
      toSeconds,
      10,
    )
    .option('--check', 'start over HTTP, check that it answers, and exit')
    .addHelpText('after', EXAMPLES)
    .action(run);
}

async function run(path: string, flags: ServeFlags): Promise<void> {
  await serve(path, flags);
  if (!flags.check) await exit();
}

async function openOwn(address: string, checkpointFile: string | undefined): Promise<OpenLedger> {
  try {
    return await openLedger(address, { ...(checkpointFile !== undefined && { checkpointFile }) });
  } catch (error) {
    throw toLedgerFailure(address, error);
  }
}

async function serve(path: string, flags: ServeFlags): Promise<void> {
  // Besides the calls, the ledger and the connections need a moment to close.
  const graceMs = flags.grace * 1000;
  const shutdown = openShutdown(graceMs + CLOSE_MS, (message) => {
    process.stderr.write(`plimsoll serve: ${message}\n`);
  });
  if (flags.stdio && flags.check) throw new CliError('--check uses HTTP; omit --stdio');
  const { as = 'developer', tenant, grant } = flags;
  const principal: Principal = {
    id: as,
    scopes: grant,
    ...(tenant !== undefined && { tenant }),
  };
  const token = flags.token ?? `dev_${randomBytes(16).toString('hex')}`;
  const isKnown = grant.length > 0 || (flags.as ?? tenant ?? flags.token) !== undefined;
  const { checkpoints: checkpointFile } = flags;
  const ledger =
    flags.ledger === undefined ? undefined : await openOwn(flags.ledger, checkpointFile);
  const context: ServeContext = {
    ...(ledger !== undefined && { ledger }),
    ...(isKnown && { authenticate: staticTokens([{ token, principal }]) }),
  };
  try {
    const server = await loadServer(path, context);
    if (flags.stdio) {
      await using connection = openStdio(server, { graceMs, ...(isKnown && { principal }) });
      await Promise.race([shutdown.requested, connection.done]);
      shutdown.begin();
      // An open input must not keep the process alive.
      process.stdin.destroy();
      return;
    }
    const { host, port } = flags;
    await using http = await openHttp(server, {
      host,
      graceMs,
      ...(port !== undefined && { port }),
    });
    if (flags.check) {
      process.stdout.write(`${await checkAnswers(server, http)}\n`);
      return;
    }
    process.stdout.write(
      describeServer(server, http, path, { flags: { ...flags, as }, ...(isKnown && { token }) }),
    );
    await shutdown.requested;
  } finally {
    await ledger?.[Symbol.asyncDispose]();
  }
}

/** Work that was cut off must not keep the process alive; what was written must have left. */
async function exit(): Promise<never> {
  await new Promise((done) => process.stdout.write('', done));
  process.exit();
}

function toSeconds(text: string): number {
  const seconds = Number(text);
  if (text !== '' && seconds >= 0 && seconds <= 3600) return seconds;
  throw new InvalidArgumentError('must be a number of seconds from 0 to 3600.');
}
