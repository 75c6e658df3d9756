/** What a check is to be, from flags and files. Every mistake is told with what to do about it. */
import { existsSync, readFileSync } from 'node:fs';
import { allRules } from '../check/check-server.ts';
import type { Severity } from '../check/finding.ts';
import type { CheckConfig } from '../check/read-check-config.ts';
import { readCheckConfig } from '../check/read-check-config.ts';
import type { Profile } from '../check/rule.ts';
import type { Settings } from '../check/settings.ts';
import { DEFAULT_PROFILES } from '../check/settings.ts';
import { toFaultLine } from '../lib/read-yaml.ts';
import { readLockFile } from '../gate/pins/lock-file.ts';
import type { Lock } from '../gate/pins/lock.ts';
import { CliError } from './cli-error.ts';

export interface PlanFlags {
  readonly profile: readonly Profile[];
  readonly config?: string;
  readonly failOn?: Severity;
  readonly lock?: string;
}

export interface CheckPlan {
  readonly settings: Settings;
  readonly failOn: Severity;
  readonly lock: Lock | undefined;
}

const CONFIG = 'plimsoll.check.yaml';
const LOCK = 'plimsoll.lock.json';

export function readCheckPlan(flags: PlanFlags): CheckPlan {
  const config = loadConfig(flags.config);
  const profiles = flags.profile.length > 0 ? flags.profile : config?.profiles;
  return {
    settings: {
      profiles: profiles === undefined || profiles.length === 0 ? DEFAULT_PROFILES : profiles,
      severities: config?.severities ?? new Map(),
      ignores: config?.ignores ?? [],
      now: new Date(),
    },
    failOn: flags.failOn ?? config?.failOn ?? 'error',
    lock: loadLock(flags.lock),
  };
}

function loadConfig(given: string | undefined): CheckConfig | undefined {
  if (given === undefined && !existsSync(CONFIG)) return undefined;
  const file = given ?? CONFIG;
  const reading = readCheckConfig(load(file), file, allRules());
  if (reading.kind === 'config') return reading.config;
  throw new CliError(reading.faults.map(toFaultLine).join('\n'));
}

function loadLock(given: string | undefined): Lock | undefined {
  if (given === undefined && !existsSync(LOCK)) return undefined;
  const file = given ?? LOCK;
  if (!existsSync(file)) throw new CliError(`${file} does not exist`);
  const reading = readLockFile(file);
  if (reading.kind === 'lock') return reading.lock;
  const faults = reading.faults.map(({ pointer, message }) => `${pointer || '/'}: ${message}`);
  throw new CliError(`${file} is no lock: ${faults.join('; ')}`);
}

function load(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    throw new CliError(`${file} cannot be read: ${(error as Error).message}`);
  }
}
