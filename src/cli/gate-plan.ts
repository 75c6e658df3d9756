/** What a gate is to be, from flags and files. Every mistake is told with what to do about it. */
import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { toFaultLine } from '../gate/config/config-fault.ts';
import type { GateConfig, ServerConfig } from '../gate/config/gate-config.ts';
import { readConfig } from '../gate/config/read-config.ts';
import { describeFault } from '../gate/decide/policy-fault.ts';
import type { Policy } from '../gate/decide/policy.ts';
import { readPolicy } from '../gate/decide/read-policy.ts';
import { DEFAULT_POLICY, toPolicy } from '../gate/decide/to-policy.ts';
import { defaultLedgerAddress } from '../ledger/default-address.ts';
import { CliError } from './cli-error.ts';
import type { GateFlags } from './gate.ts';

export interface GatePlan {
  readonly config: Pick<GateConfig, 'servers' | 'http'>;
  readonly policy: Policy;
  readonly ledger: string;
  readonly lock: string | undefined;
}

const LOCK = 'plimsoll.lock.json';

export function readGatePlan(command: readonly string[], flags: GateFlags): GatePlan {
  const config = flags.config === undefined ? undefined : loadConfig(flags.config);
  const wanted = [config !== undefined, command.length > 0, flags.url !== undefined];
  if (wanted.filter(Boolean).length !== 1) {
    throw new CliError('say which server: a command after --, or --url, or --config');
  }
  const lock = flags.lock ?? config?.lock ?? LOCK;
  return {
    config: config ?? { servers: [toServer(command, flags)] },
    policy: loadPolicy(flags, config?.policy),
    ledger: flags.ledger ?? config?.ledger ?? defaultLedgerAddress(),
    lock: flags.lock !== undefined || existsSync(lock) ? resolve(lock) : undefined,
  };
}

function loadConfig(file: string): GateConfig {
  const reading = readConfig(load(file), file, { environment: process.env });
  if (reading.kind === 'config') return reading.config;
  throw new CliError(reading.faults.map(toFaultLine).join('\n'));
}

function loadPolicy({ policy: file, ask }: GateFlags, configured: Policy | undefined): Policy {
  if (file === undefined) {
    if (configured !== undefined && ask.length > 0) {
      throw new CliError('the configuration has a policy; say there how people are asked');
    }
    if (configured !== undefined) return configured;
    return ask.length === 0 ? DEFAULT_POLICY : toPolicy({ asking: { channels: ask } });
  }
  if (ask.length > 0) throw new CliError('say in the policy file how people are asked');
  const reading = readPolicy(load(file), file);
  if (reading.kind === 'policy') return reading.policy;
  throw new CliError(reading.faults.map(describeFault).join('\n'));
}

function toServer([command, ...args]: readonly string[], flags: GateFlags): ServerConfig {
  const { name, url, header, trusted, mode } = flags;
  const traits = {
    name,
    disabled: false,
    ...(trusted && { trusted }),
    ...(mode !== undefined && { mode }),
  };
  if (url !== undefined) {
    return { ...traits, kind: 'remote', url, headers: Object.fromEntries(header.map(toHeader)) };
  }
  return { ...traits, kind: 'process', command: command ?? '', args, env: {}, cwd: process.cwd() };
}

function toHeader(line: string): [string, string] {
  const [, name, value] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
  if (name === undefined || value === undefined) {
    throw new CliError(`"${line}" is no header; write "Name: value"`);
  }
  return [name, value];
}

function load(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CliError(`${file} cannot be read: ${(error as Error).message}`);
  }
}
