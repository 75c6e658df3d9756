/**
 * Finds and loads the server that a command names: a module, or a folder whose package.json names one.
 * Its default export is a server, or a function that creates one from a `ServeContext`.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { toShownLedger } from '../gate/approvals/waiting-text.ts';
import type { ServerConfig } from '../gate/config/gate-config.ts';
import { HIDDEN, hideArgument } from '../gate/hosts/hide-argument.ts';
import { openLedger } from '../ledger/open-ledger.ts';
import type { PlimsollServer, ServeContext } from '../serve/create-server.ts';
import type { HttpServer } from '../serve/http/open-http.ts';
import { quoteWord } from '../lib/quote-word.ts';
import { parseStrictJson } from '../lib/strict-json.ts';
import { CliError } from './cli-error.ts';
import { noteLoadedModule } from './loaded-module.ts';
import { NAMED_ERRORS } from './named-errors.ts';
import { ownCommand } from './own-command.ts';

export async function loadServer(path: string, context: ServeContext): Promise<PlimsollServer> {
  const module = await load(path, findModule(path));
  const made: unknown =
    typeof module.default === 'function'
      ? await (module.default as (context: ServeContext) => unknown)(context)
      : module.default;
  if (!isServer(made)) {
    throw new CliError(
      `${path} does not export a server; write \`export default createServer({ … })\`, or a function that returns one`,
    );
  }
  return made;
}

/** For what it declares: nothing is called, so a ledger that nobody keeps will do for operations that need one. */
export async function readServer<T>(path: string, read: (server: PlimsollServer) => T): Promise<T> {
  noteLoadedModule();
  await using ledger = await openLedger('sqlite::memory:', { key: randomBytes(32) });
  return read(await loadServer(path, { ledger }));
}

/** Its stack would lead through this program; where in the module it happened is what helps. */
async function load(path: string, file: string): Promise<{ readonly default?: unknown }> {
  try {
    return (await import(pathToFileURL(file).href)) as { readonly default?: unknown };
  } catch (error) {
    if (!(error instanceof Error) || NAMED_ERRORS[error.name] !== undefined) throw error;
    const { code = '', message, stack = '' } = error as NodeJS.ErrnoException;
    if (NO_MODULE.has(code))
      throw new CliError(
        `${path} is no module; name one that ends in .js, .mjs or .ts, or a folder`,
      );
    const why = message.replace(/ imported from .*$/s, '');
    const [place = ''] = /(?<=file:\/\/)\/\S+?:\d+(?::\d+)?(?=\)?$)/m.exec(stack) ?? [];
    const isOurs = place === '' || place.startsWith(OWN_FILE);
    // Of a syntax error only Node itself can say it.
    const hint = error instanceof SyntaxError ? `; node ${file} shows where` : '';
    const where = isOurs ? hint : ` (${place})`;
    throw new CliError(`${path} cannot be loaded: ${why}${where}`, { cause: error });
  }
}

const NO_MODULE: ReadonlySet<string> = new Set([
  'ERR_UNKNOWN_FILE_EXTENSION',
  'ERR_IMPORT_ATTRIBUTE_MISSING',
]);
const OWN_FILE = fileURLToPath(import.meta.url);

function findModule(path: string): string {
  const full = resolve(path);
  if (!existsSync(full)) throw new CliError(`${path} does not exist`);
  if (!statSync(full).isDirectory()) return full;
  const manifest = join(full, 'package.json');
  if (!existsSync(manifest))
    throw new CliError(`${path} has no package.json; name the module itself`);
  const read = parseStrictJson(readFileSync(manifest, 'utf8'));
  if (read.kind === 'refused')
    throw new CliError(`${path}/package.json cannot be read: ${read.detail}`);
  const { main } = (read.value ?? {}) as { readonly main?: unknown };
  if (typeof main !== 'string') {
    throw new CliError(`${path}/package.json has no "main"; name the module itself`);
  }
  const file = join(full, main);
  if (existsSync(file)) return file;
  throw new CliError(
    `${path}/package.json names ${main}, which does not exist; build it first, or name the module itself`,
  );
}

function isServer(value: unknown): value is PlimsollServer {
  return (
    typeof value === 'object' &&
    value !== null &&
    'operations' in value &&
    value.operations instanceof Map &&
    'invoke' in value
  );
}

/** What a person sees when a server has started: where it is, how to try it, what to paste. */
interface Started {
  /** Only if somebody can sign in. */
  readonly token?: string;
  readonly flags: {
    readonly as: string;
    readonly grant: readonly string[];
    readonly tenant?: string;
    readonly ledger?: string;
  };
}

export function describeServer(
  server: PlimsollServer,
  http: HttpServer,
  path: string,
  started: Started,
): string {
  const { token, flags } = started;
  const [command, ...words] = ownCommand();
  const host = {
    mcpServers: {
      [server.name]: {
        command,
        args: [...words, 'serve', resolve(path), '--stdio', ...toArgs(started)],
      },
    },
  };
  return [
    `${server.name} ${server.version}: ${server.operations.size} operations, convention ${server.convention.name}`,
    `  MCP      ${http.mcpUrl}`,
    `  HTTP     ${http.url}/op/{name}`,
    `  OpenAPI  ${http.url}/openapi.json`,
    '',
    'Try it:',
    `  curl -sS ${http.mcpUrl} \\`,
    `    -H 'Accept: application/json, text/event-stream' \\`,
    `    -H 'Content-Type: application/json' \\`,
    `    -d '{"jsonrpc":"2.0","method":"tools/list","id":1}'`,
    '',
    ...(token === undefined
      ? []
      : [
          `Signed in as ${flags.as} with ${flags.grant.length === 0 ? 'no scopes' : flags.grant.join(' ')}:`,
          `  -H 'Authorization: Bearer ${token}'`,
          '',
        ]),
    'Paste into a host that starts servers itself (Claude Desktop, Claude Code, Cursor, …):',
    ...JSON.stringify(host, null, 2)
      .split('\n')
      .map((line) => `  ${line}`),
    '',
    'Stop with Ctrl-C.',
    '',
  ].join('\n');
}

/** The same server for a host, which starts it in another folder. */
function toArgs({ token, flags }: Started): readonly string[] {
  const { as, grant, tenant, ledger } = flags;
  const caller = [
    '--as',
    as,
    ...grant.flatMap((scope) => ['--grant', scope]),
    ...(tenant === undefined ? [] : ['--tenant', tenant]),
  ];
  return [
    ...(token === undefined ? [] : caller),
    ...(ledger === undefined ? [] : ['--ledger', toShownLedger(ledger)]),
  ];
}

/**
 * How a server is reached, safe to show: no header, no environment, nothing that looks like a secret. In the words
 * of a shell, as people paste it.
 */
export function serverAddress(config: ServerConfig): string {
  const words = config.kind === 'remote' ? [config.url] : [config.command, ...config.args];
  const shown = words.map((word, at) => withoutParameters(hideArgument(word, words[at - 1])));
  return shown.map((word) => (word.includes(HIDDEN) ? word : quoteWord(word))).join(' ');
}

/** As written in the configuration, with variable names instead of their values. */
function withoutParameters(word: string): string {
  return /:\/\//.test(word) ? word.replace(`${HIDDEN}@`, '').replace(/[?#].*$/s, '') : word;
}
