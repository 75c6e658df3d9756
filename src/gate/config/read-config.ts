/**
 * Reads `plimsoll.yaml` (YAML, and so JSON). Everything that is wrong is reported at once, each error with
 * its line and column; a configuration with an error is not used. Opens no server and no ledger.
 */
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { checkShape } from '../../lib/check-shape.ts';
import type { Checked, FileFault, PathFault } from '../../lib/read-yaml.ts';
import { readYaml, toFileFault } from '../../lib/read-yaml.ts';
import { checkPolicy } from '../policy/check-policy.ts';
import type { Policy } from '../policy/policy.ts';
import type { WrittenConfig, WrittenServer } from './config-schema.ts';
import { configSchema } from './config-schema.ts';
import type { Environment } from './environment.ts';
import { missingVariables, VARIABLE } from './environment.ts';
import type { GateConfig, ServerConfig } from './gate-config.ts';

export type ReadConfig =
  | { readonly kind: 'config'; readonly config: GateConfig }
  | { readonly kind: 'faults'; readonly faults: readonly FileFault[] };

export interface ReadConfigOptions {
  /** With one, variables that it lacks are errors; without, only the form is read. */
  readonly environment?: Environment;
  /** For the policy, when it is in a file of its own. Default: from the disk. */
  readonly readFile?: (path: string) => string;
}

const FROM_ENVIRONMENT = ['command', 'args', 'env', 'url', 'headers'];

export function readConfig(
  text: string,
  file: string,
  { environment, readFile = (path) => readFileSync(path, 'utf8') }: ReadConfigOptions = {},
): ReadConfig {
  const path = resolve(file);
  const inPolicyFile: FileFault[] = [];
  const reading = readYaml(text, (value = null): Checked<GateConfig> => {
    const shape = checkShape(configSchema, value);
    const written = membersOf(value)['policy'];
    const policy = readPolicyPart(written, dirname(path), readFile, inPolicyFile);
    const faults = [
      ...(shape.kind === 'faults' ? shape.faults : []),
      ...(policy.kind === 'faults' ? policy.faults : []),
      ...(environment === undefined ? [] : checkEnvironment(value, environment)),
    ];
    if (shape.kind === 'faults' || policy.kind === 'faults' || faults.length > 0)
      return { kind: 'faults', faults };
    return { kind: 'checked', value: toConfig(shape.value, path, policy.value) };
  });
  if (reading.kind === 'read') return { kind: 'config', config: Object.freeze(reading.value) };
  const here = reading.faults.map((fault) => toFileFault(fault, file));
  return { kind: 'faults', faults: [...here, ...inPolicyFile] };
}

/** The policy is a part of the configuration, or in a file of its own, which has its own places. */
function readPolicyPart(
  part: unknown,
  folder: string,
  readFile: (path: string) => string,
  inPolicyFile: FileFault[],
): Checked<Policy | undefined> {
  if (part === undefined) return { kind: 'checked', value: undefined };
  if (typeof part !== 'string') {
    const checked = checkPolicy(part);
    if (checked.kind === 'checked') return checked;
    const faults = checked.faults.map((one) => ({ ...one, path: ['policy', ...one.path] }));
    return { kind: 'faults', faults };
  }
  const file = resolve(folder, part);
  let text: string;
  try {
    text = readFile(file);
  } catch {
    const detail = 'the file cannot be read; check its name and who may read it';
    return { kind: 'faults', faults: [{ code: 'unreadable', path: ['policy'], detail }] };
  }
  const reading = readYaml(text, (value = {}) => checkPolicy(value));
  if (reading.kind === 'read') return { kind: 'checked', value: reading.value };
  for (const fault of reading.faults) {
    const path = fault.path === '' ? 'policy' : `policy.${fault.path}`;
    inPolicyFile.push(toFileFault({ ...fault, path }, file));
  }
  return { kind: 'faults', faults: [] };
}

/** Looks at the value as written, so that what is missing is reported together with what is wrong. */
function* checkEnvironment(value: unknown, environment: Environment): Generator<PathFault> {
  const { mcpServers, ledger, http } = membersOf(value);
  for (const [name, server] of Object.entries(membersOf(mcpServers))) {
    const members = membersOf(server);
    // A server that is not going to be opened needs nothing from the environment.
    if (members['disabled'] === true) continue;
    for (const key of FROM_ENVIRONMENT)
      yield* missingIn(members[key], ['mcpServers', name, key], environment);
  }
  yield* missingIn(ledger, ['ledger'], environment);
  const { tokens } = membersOf(http);
  for (const [index, token] of (Array.isArray(tokens) ? tokens : []).entries()) {
    const name = membersOf(token)['tokenEnv'];
    if (typeof name === 'string' && VARIABLE.test(name) && (environment[name] ?? '') === '')
      yield notSet(name, ['http', 'tokens', index, 'tokenEnv']);
  }
}

function* missingIn(
  value: unknown,
  path: PathFault['path'],
  environment: Environment,
): Generator<PathFault> {
  if (typeof value === 'string')
    for (const name of missingVariables(value, environment)) yield notSet(name, path);
  else if (Array.isArray(value))
    for (const [index, item] of value.entries())
      yield* missingIn(item, [...path, index], environment);
  else
    for (const [key, member] of Object.entries(membersOf(value)))
      yield* missingIn(member, [...path, key], environment);
}

function notSet(name: string, path: PathFault['path']): PathFault {
  return { code: 'not-set', path, detail: `the environment variable ${name} is not set` };
}

function toConfig(written: WrittenConfig, file: string, policy: Policy | undefined): GateConfig {
  const { mcpServers, ledger, lock, http, messageLimit } = written;
  const folder = dirname(file);
  const base = /^sqlite:(.+)$/.exec(ledger ?? '')?.[1];
  const isFile = base !== undefined && base !== ':memory:';
  return {
    file,
    servers: Object.entries(mcpServers).map(([name, server]) => toServer(name, server, folder)),
    ...(policy !== undefined && { policy }),
    ...(typeof written.policy === 'string' && { policyFile: resolve(folder, written.policy) }),
    ...(ledger !== undefined && { ledger: isFile ? `sqlite:${resolve(folder, base)}` : ledger }),
    ...(lock !== undefined && { lock: resolve(folder, lock) }),
    ...(http !== undefined && { http }),
    ...(messageLimit !== undefined && { messageLimit }),
  };
}

function toServer(name: string, server: WrittenServer, folder: string): ServerConfig {
  if (server.kind === 'remote') return { name, ...server };
  return { name, ...server, cwd: resolve(folder, server.cwd) };
}

/** None, of what is not a mapping. */
function membersOf(value: unknown): Readonly<Record<string, unknown>> {
  const isMapping = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isMapping ? (value as Readonly<Record<string, unknown>>) : {};
}
