/** Plans a gate from flags and files. Every mistake is reported with how to fix it, and without a value that may be secret. */
import { existsSync, readFileSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import type { GateConfig, ServerConfig } from '../gate/config/gate-config.ts';
import { cachedPolicy } from '../gate/cached-policy.ts';
import type { TogetherServer } from '../gate/config/together-file.ts';
import { readTogether } from '../gate/config/together-file.ts';
import type { Policy } from '../gate/policy/policy.ts';
import { DEFAULT_POLICY, describeFault } from '../gate/policy/policy.ts';
import { findLock, ownLock } from '../gate/tools/lock.ts';
import { defaultLedgerAddress } from '../ledger/default-address.ts';
import { resolveAddress } from '../ledger/resolve-address.ts';
import { VERSION } from '../lib/version.ts';
import { describeFileError } from '../lib/describe-file-error.ts';
import { quoteWord } from '../lib/quote-word.ts';
import { toShownWords } from './shown-words.ts';
import { CliError } from './cli-error.ts';
import type { GateFlags } from './gate.ts';

interface GatePlan {
  readonly config: Pick<GateConfig, 'servers' | 'http' | 'messageLimit'>;
  /** Where servers share the gate under the names of their own tools: whose each is. */
  readonly toolOwners?: ReadonlyMap<string, string>;
  readonly policy: Policy;
  /** Where the policy stands, for a gate that takes up changes. */
  readonly policyFiles: readonly string[];
  readonly ledger: string;
  readonly lock: string;
  /** In the folder itself, where nobody named one. */
  readonly foundLock: string | undefined;
}

export async function readGatePlan(
  command: readonly string[],
  flags: GateFlags,
): Promise<GatePlan> {
  const config = flags.config === undefined ? undefined : await loadConfig(flags.config);
  const { url, urlEnv } = flags;
  const together = flags.together === undefined ? undefined : loadTogether(flags.together);
  const wanted = [
    ...(config === undefined ? [] : ['--config']),
    ...(together === undefined ? [] : ['--together']),
    ...(url === undefined ? [] : ['--url']),
    ...(urlEnv === undefined ? [] : ['--url-env']),
    ...(command.length === 0 ? [] : ['a command']),
  ];
  if (wanted.length === 0) {
    throw new CliError('no server: pass a command after --, or --url, or --config');
  }
  if (wanted.length > 1) {
    throw new CliError(`${wanted.join(' and ')} cannot be combined; pass one of them`);
  }
  if (url !== undefined && !URL.canParse(url)) {
    throw new CliError('what --url says is not a URL; write https://HOST/PATH');
  }
  const named = flags.lock ?? config?.lock;
  if (named !== undefined && !existsSync(named))
    throw new CliError(
      `${named} does not exist; create it with ${toPinCommand(named, command, flags)}`,
    );
  const folder = config === undefined ? process.cwd() : dirname(config.file);
  return {
    config: config ?? { servers: together?.map(toShared) ?? [toServer(command, flags)] },
    ...(together !== undefined && { toolOwners: toOwners(together) }),
    policy: await loadPolicy(flags, config?.policy),
    policyFiles: toPolicyFiles(flags, config),
    // The console that it starts runs in another folder.
    ledger: resolveAddress(flags.ledger ?? config?.ledger ?? defaultLedgerAddress()),
    lock: named === undefined ? ownLock(folder) : resolve(named),
    foundLock: named === undefined ? findLock(folder) : undefined,
  };
}

/** As it can be pasted, where the words of the server are known and none may be a secret. */
function toPinCommand(
  lock: string,
  command: readonly string[],
  { name }: Pick<GateFlags, 'name'>,
): string {
  const isKnown = command.length > 0;
  const source = (isKnown ? toShownWords(command) : undefined) ?? 'SOURCE';
  return `plimsoll pin --server ${isKnown ? quoteWord(name) : 'NAME'} --lock ${quoteWord(lock)} --accept -- ${source}`;
}

function loadTogether(file: string): readonly TogetherServer[] {
  const servers = readTogether(load(file));
  if (servers !== undefined) return servers;
  throw new CliError(`${file} is not what plimsoll wrap --together writes; unwrap and wrap again`);
}

function toShared({ name, command, args, env }: TogetherServer): ServerConfig {
  return { kind: 'process', name, command, args, env, disabled: false, cwd: process.cwd() };
}

function toOwners(servers: readonly TogetherServer[]): ReadonlyMap<string, string> {
  return new Map(servers.flatMap(({ name, tools }) => tools.map((tool) => [tool, name] as const)));
}

function toPolicyFiles({ policy }: GateFlags, config: GateConfig | undefined): readonly string[] {
  if (policy !== undefined) return [policy];
  if (config?.policy === undefined) return [];
  return [config.file, ...(config.policyFile === undefined ? [] : [config.policyFile])];
}

/** File readers are loaded only when needed: most gates read no files. */
export async function loadConfig(file: string): Promise<GateConfig> {
  const { readConfig } = await import('../gate/config/read-config.ts');
  const { toFaultLine } = await import('../lib/read-yaml.ts');
  const reading = readConfig(load(file), file, { environment: process.env });
  if (reading.kind === 'config') return reading.config;
  throw new CliError(reading.faults.map(toFaultLine).join('\n'));
}

async function loadPolicy(
  { policy: file, ask }: GateFlags,
  configured: Policy | undefined,
): Promise<Policy> {
  if (file === undefined) {
    if (configured !== undefined && ask.length > 0) {
      throw new CliError('the configuration has a policy; set there how people are asked');
    }
    if (configured !== undefined) return configured;
    if (ask.length === 0) return DEFAULT_POLICY;
    const init = { asking: { channels: ask } };
    return readOnce('--ask', JSON.stringify(init), async () => {
      const { toPolicy } = await import('../gate/policy/to-policy.ts');
      return toPolicy(init);
    });
  }
  if (ask.length > 0) throw new CliError('set in the policy file how people are asked');
  return loadPolicyFile(file);
}

export async function loadPolicyFile(file: string): Promise<Policy> {
  const text = load(file);
  return readOnce(resolve(file), text, async () => {
    const { readPolicy } = await import('../gate/policy/read-policy.ts');
    const reading = readPolicy(text, file);
    if (reading.kind === 'policy') return reading.policy;
    throw new CliError(reading.faults.map(describeFault).join('\n'));
  });
}

/** In the package, the name of this module holds a hash over the code that it loads. In the sources it does not. */
function readOnce(name: string, text: string, read: () => Promise<Policy>): Promise<Policy> {
  const module = basename(import.meta.url);
  if (module.endsWith('.ts')) return read();
  return cachedPolicy({ name, text, reader: `${VERSION} ${module}`, read });
}

/** Taken as given: `${NAME}` in it may come from a configuration that others wrote, and stays as it is. */
function toServer([command, ...args]: readonly string[], flags: GateFlags): ServerConfig {
  const { name, trusted, mode, serverEnvFile } = flags;
  const traits = {
    name,
    disabled: false,
    ...(trusted && { trusted }),
    ...(mode !== undefined && { mode }),
  };
  const url = flags.url ?? (flags.urlEnv === undefined ? undefined : readUrl(flags.urlEnv));
  if (url !== undefined) {
    const { bearerEnv } = flags;
    const headers = [
      ...flags.header.map(toHeader),
      ...flags.headerEnv.map(readHeader),
      ...(bearerEnv === undefined ? [] : [['Authorization', `Bearer ${readVariable(bearerEnv)}`]]),
    ];
    return { ...traits, kind: 'remote', url, headers: Object.fromEntries(headers) as Headers };
  }
  return {
    ...traits,
    kind: 'process',
    command: command ?? '',
    args,
    env: serverEnvFile === undefined ? {} : readEnvFile(serverEnvFile),
    passEnv: flags.passEnv,
    cwd: process.cwd(),
  };
}

type Headers = Readonly<Record<string, string>>;

function toHeader(line: string): [string, string] {
  const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined) {
    throw new CliError('what --header says is not a header; write "Name: value"');
  }
  return [name, value];
}

function readHeader(text: string): [string, string] {
  const [, name, variable] = /^([\w-]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || variable === undefined) {
    throw new CliError('what --header-env says is no header and variable; write Name=VARIABLE');
  }
  return [name, readVariable(variable)];
}

function readUrl(variable: string): string {
  const url = readVariable(variable);
  if (!URL.canParse(url)) throw new CliError(`the environment variable ${variable} is not a URL`);
  return url;
}

function readVariable(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new CliError(`the environment variable ${name} is not set`);
  return value;
}

function readEnvFile(file: string): Readonly<Record<string, string>> {
  const entries = Object.entries(parseEnv(load(file)));
  return Object.fromEntries(entries.map(([name, value]) => [name, value ?? '']));
}

function load(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CliError(`${file} cannot be read: ${describeFileError(error)}`);
  }
}
