/**
 * `plimsoll login` and `plimsoll logout`: a person's consent for the gate to use a server, and its
 * withdrawal.
 */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { Command } from 'commander';
import { logIn } from '../gate/auth/log-in.ts';
import { openTokenStore, tokenFile } from '../gate/auth/token-store.ts';
import { toFaultLine } from '../lib/read-yaml.ts';
import { expandServer } from '../gate/config/environment.ts';
import type { OAuthConfig } from '../gate/config/gate-config.ts';
import { readConfig } from '../gate/config/read-config.ts';
import { isSafeUrl } from '../lib/is-safe-url.ts';
import { redactSecrets } from '../lib/find-secret-tokens.ts';
import { toSentence } from './system-error.ts';
import { CliError, CliFailure } from './cli-error.ts';
import { collectScopes, toPort } from './option-values.ts';

interface ServerFlags {
  readonly config: string;
  readonly json?: true;
}

interface LoginFlags extends ServerFlags {
  readonly scope: readonly string[];
  readonly port?: number;
  readonly browser: boolean;
}

interface Target {
  readonly url: string;
  readonly oauth?: OAuthConfig;
}

const SERVER = 'its name in the configuration, or its URL';
const CONFIG = ['--config <file>', 'the configuration that has the name', 'plimsoll.yaml'] as const;
const EXAMPLES = `
The tokens are stored in a file that only you can read, and are sent to this server alone. The gate renews them.

Examples:
  plimsoll login notes
  plimsoll login https://notes.example/mcp --scope notes:read --no-browser
  plimsoll logout notes`;
const LOGOUT_EXAMPLES = `
Examples:
  plimsoll logout notes
  plimsoll logout https://notes.example/mcp`;

export function loginCommand(): Command {
  return new Command('login')
    .description('sign in to a server behind the gate that requires OAuth')
    .argument('<server>', SERVER)
    .option(...CONFIG)
    .option('--scope <scope>', 'request this scope; repeatable', collectScopes, [])
    .option(
      '--port <number>',
      'port that the browser is redirected to (default: any free one)',
      toPort,
    )
    .option('--no-browser', 'do not open a browser, only print the address')
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(login);
}

export function logoutCommand(): Command {
  return new Command('logout')
    .description('delete the tokens of a server')
    .argument('<server>', SERVER)
    .option(...CONFIG)
    .option('--json', 'print JSON')
    .addHelpText('after', LOGOUT_EXAMPLES)
    .action(logout);
}

async function login(server: string, flags: LoginFlags): Promise<void> {
  const { url, oauth } = await findTarget(server, flags.config);
  const store = openTokenStore(tokenFile(process.env));
  const { port } = flags;
  const wishes = { ...oauth, ...(flags.scope.length > 0 && { scopes: flags.scope }) };
  const show = (page: URL): void => void showPage(page, flags.browser);
  await orFail(
    url,
    logIn({ serverUrl: url, store, show, oauth: wishes, ...(port !== undefined && { port }) }),
  );
  const kept = await orFail(url, store.read(url));
  const scopes = kept?.tokens?.scope?.split(' ') ?? [];
  const { expiresAt } = kept ?? {};
  const ends = expiresAt === undefined ? undefined : new Date(expiresAt * 1000).toISOString();
  const renews = kept?.tokens?.refresh_token !== undefined;
  const line = renews
    ? 'the gate renews the token'
    : `the token is valid until ${ends ?? 'it is revoked'}`;
  print(
    flags.json
      ? JSON.stringify({
          server: url,
          scopes,
          renews,
          ...(ends !== undefined && { expiresAt: ends }),
        })
      : `Signed in to ${url}; ${line}.`,
  );
}

async function logout(server: string, { config, json }: ServerFlags): Promise<void> {
  const { url } = await findTarget(server, config);
  const store = openTokenStore(tokenFile(process.env));
  const wasKnown = (await orFail(url, store.read(url))) !== undefined;
  if (wasKnown)
    await orFail(
      url,
      store.update(url, () => undefined),
    );
  if (json) print(JSON.stringify({ server: url, forgotten: wasKnown }));
  else print(wasKnown ? `The tokens of ${url} are deleted.` : `There are no tokens of ${url}.`);
}

async function findTarget(server: string, file: string): Promise<Target> {
  if (/^https?:\/\//.test(server)) {
    const url = URL.parse(server);
    if (url === null) throw new CliError('that is not a URL; write https://HOST/PATH');
    if (isSafeUrl(url)) return { url: server };
    throw new CliError('tokens travel over https only; plain http is for this machine');
  }
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch {
    throw new CliError(`${file} cannot be read; pass the URL of the server, or --config`);
  }
  const read = readConfig(text, file);
  if (read.kind === 'faults') throw new CliError(read.faults.map(toFaultLine).join('\n'));
  const found = read.config.servers.find(({ name }) => name === server);
  if (found === undefined) {
    const names = read.config.servers.map(({ name }) => name).join(', ');
    throw new CliError(`${file} has no server with this name; it has ${names || 'none'}`);
  }
  if (found.kind === 'process') {
    throw new CliError(`${server} is started by the gate; only servers with a url support sign-in`);
  }
  const { oauth } = found;
  const url = await orFail(server, async () => expandServer(found, process.env).url);
  return { url, ...(oauth !== undefined && { oauth }) };
}

/** On standard error, apart from the command's output. */
async function showPage(page: URL, browser: boolean): Promise<void> {
  process.stderr.write(`Sign in here:\n  ${page.href}\n`);
  if (browser && !(await openBrowser(page))) {
    process.stderr.write('No browser could be opened; open the address yourself.\n');
  }
}

/** Errors of a remote server are reported in one line, with its text made harmless. */
async function orFail<T>(server: string, work: Promise<T> | (() => Promise<T>)): Promise<T> {
  try {
    return await (typeof work === 'function' ? work() : work);
  } catch (error) {
    const reason = error instanceof Error ? toSentence(error) : String(error);
    const plain = redactSecrets(reason)
      .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, ' ')
      .slice(0, 400);
    throw new CliFailure(`${server}: ${plain}`);
  }
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

const OPENERS: Readonly<Record<string, readonly [string, ...string[]]>> = Object.freeze({
  darwin: ['open'],
  // `start` is built into cmd.exe, which would interpret `&` in an address; this does not.
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
});

/** Never through a shell. False when no browser could be started. */
async function openBrowser(url: URL): Promise<boolean> {
  const [command, ...args] = OPENERS[process.platform] ?? ['xdg-open'];
  return await new Promise((done) => {
    const child = spawn(command, [...args, url.href], { stdio: 'ignore', detached: true });
    child.once('error', () => done(false));
    child.once('spawn', () => {
      child.unref();
      done(true);
    });
  });
}
