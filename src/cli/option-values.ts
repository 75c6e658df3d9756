/** Values of options that several commands take. */
import { InvalidArgumentError } from 'commander';

export function toPort(text: string): number {
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text);
  throw new InvalidArgumentError('must be a whole number from 0 to 65535.');
}

/** Of an option that can be repeated. */
export function collect(value: string, before: readonly string[]): readonly string[] {
  return [...before, value];
}

/** Scopes, separated by spaces or commas, of an option that can be repeated. */
export function collectScopes(text: string, before: readonly string[]): readonly string[] {
  return [...before, ...text.split(/[\s,]+/).filter((scope) => scope !== '')];
}
