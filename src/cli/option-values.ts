/** Values of options that several commands take. */
import { InvalidArgumentError, Option } from 'commander';
import type { Tier } from '../effect/tier.ts';
import { findTier, TIER_NAMES, TIERS } from '../effect/tier.ts';

export function toPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('must be a whole number from 0 to 65535.');
}

/** In the words of the console, or by its name. */
export function toTier(text: string): Tier {
  const tier = findTier(text);
  if (tier !== undefined) return tier;
  const known = TIER_NAMES.map((name) => `${TIERS[name].word} (${name})`);
  throw new InvalidArgumentError(`Allowed choices are ${known.join(', ')}.`);
}

/** Of an option that can be repeated. */
export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** Scopes, separated by spaces or commas, of an option that can be repeated. */
export function collectScopes(text: string, before: readonly string[]): readonly string[] {
  return [...before, ...text.split(/[\s,]+/).filter((scope) => scope !== '')];
}

const LONGEST = 100;

/** Hosts allow nearly anything as a name, so the gate does too. */
export function isServerName(name: string): boolean {
  return /^[^\p{C}\p{Zl}\p{Zp}-][^\p{C}\p{Zl}\p{Zp}]*$/u.test(name) && isTidy(name);
}

function isTidy(name: string): boolean {
  return name.trim() === name && name.length <= LONGEST;
}

export function toServerName(text: string): string {
  if (isServerName(text)) return text;
  throw new InvalidArgumentError(
    `A name has 1 to ${LONGEST} visible characters, begins with no hyphen, and has no space at either end, such as notes.`,
  );
}

/** The name that a variable has at the server, and here. */
export type PassedEnv = Readonly<Record<string, string>>;

export function passEnvOption(): Option {
  return new Option(
    '--pass-env <name>',
    'a variable that the server gets of the environment, or NAME=VARIABLE; repeatable',
  )
    .argParser(addPassed)
    .default({}, 'only PATH, HOME and the like');
}

/** In a sentence each: most are misspelled. */
export function toUnsetNotes(passed: PassedEnv): readonly string[] {
  const unset = Object.values(passed).filter((variable) => process.env[variable] === undefined);
  return [...new Set(unset)].map(
    (variable) => `--pass-env: ${variable} is not set, so the server does not get it`,
  );
}

function addPassed(text: string, before: PassedEnv): PassedEnv {
  const [name = '', variable = name] = text.split('=', 2);
  if (name === '' || variable === '')
    throw new InvalidArgumentError('write NAME or NAME=VARIABLE.');
  return { ...before, [name]: variable };
}
