/**
 * A spot: one value in a YAML or JSON text, with the place it stands at. The functions read it as
 * what is wanted there, or leave a fault and give `undefined`. An absent spot is no fault.
 */
import type { Document } from 'yaml';
import { isAlias, isMap, isNode, isScalar, isSeq } from 'yaml';
import { suggest } from '../policy/suggest.ts';
import type { Environment } from './environment.ts';
import { missingVariables } from './environment.ts';

export interface Source {
  readonly document: Document;
  /** With one, what it lacks is a fault. */
  readonly environment?: Environment | undefined;
  readonly fault: (offset: number, message: string) => void;
}

export interface Spot {
  readonly source: Source;
  /** As people would point at it: `mcpServers.notes.url`. */
  readonly path: string;
  readonly offset: number;
  readonly node: unknown;
}

export interface Field {
  readonly key: string;
  readonly keyOffset: number;
  readonly value: Spot;
}

export type Fields = Readonly<Record<string, Spot | undefined>>;

export function fault(spot: Spot, message: string): undefined {
  spot.source.fault(spot.offset, spot.path === '' ? message : `${spot.path}: ${message}`);
}

/** Every entry of a mapping, whatever its keys. */
export function readEntries(spot: Spot | undefined): readonly Field[] | undefined {
  if (spot === undefined) return undefined;
  const node = resolve(spot);
  if (!isMap(node)) return fault(spot, 'must be a mapping.');
  return node.items.flatMap(({ key, value }) => {
    const keyOffset = offsetOf(key, spot.offset);
    if (!isScalar(key) || typeof key.value !== 'string') {
      spot.source.fault(keyOffset, 'a key must be text; put it in quotes.');
      return [];
    }
    const path = spot.path === '' ? key.value : `${spot.path}.${key.value}`;
    const offset = offsetOf(value, keyOffset);
    return [{ key: key.value, keyOffset, value: { ...spot, path, offset, node: value } }];
  });
}

/** A mapping with these keys and no others; `instead` says what to do about keys that people try. */
export function readFields(
  spot: Spot | undefined,
  known: readonly string[],
  instead: Readonly<Record<string, string>> = {},
): Fields | undefined {
  const entries = readEntries(spot);
  if (entries === undefined) return undefined;
  const fields = new Map<string, Spot>();
  for (const { key, keyOffset, value } of entries) {
    if (known.includes(key)) fields.set(key, value);
    else fault({ ...value, offset: keyOffset }, unknownKey(key, known, instead));
  }
  return Object.fromEntries(fields);
}

export function readText(spot: Spot | undefined): string | undefined {
  if (spot === undefined) return undefined;
  const value = scalarOf(spot);
  if (typeof value !== 'string') return fault(spot, 'must be text; put it in quotes.');
  return value.trim() === '' ? fault(spot, 'must not be empty.') : value;
}

/** A text, perhaps empty, where `${NAME}` may stand. */
export function readTemplate(spot: Spot | undefined): string | undefined {
  if (spot === undefined) return undefined;
  const value = scalarOf(spot);
  if (typeof value !== 'string') return fault(spot, 'must be text; put it in quotes.');
  const { environment } = spot.source;
  for (const name of environment === undefined ? [] : missingVariables(value, environment)) {
    fault(spot, `the environment variable ${name} is not set.`);
  }
  return value;
}

export function readFlag(spot: Spot | undefined): boolean | undefined {
  if (spot === undefined) return undefined;
  const value = scalarOf(spot);
  return typeof value === 'boolean' ? value : fault(spot, 'must be true or false.');
}

export function readWhole(spot: Spot | undefined, most: number): number | undefined {
  if (spot === undefined) return undefined;
  const value = scalarOf(spot);
  const fits = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= most;
  return fits ? value : fault(spot, `must be a whole number from 0 to ${most}.`);
}

export function readChoice<Word extends string>(
  spot: Spot | undefined,
  words: readonly Word[],
): Word | undefined {
  if (spot === undefined) return undefined;
  const value = scalarOf(spot);
  const word = words.find((known) => known === value);
  return word ?? fault(spot, `must be one of ${words.join(', ')}.`);
}

export function readItems(spot: Spot | undefined): readonly Spot[] | undefined {
  if (spot === undefined) return undefined;
  const node = resolve(spot);
  if (!isSeq(node)) return fault(spot, 'must be a list.');
  return node.items.map((item, index) => {
    const path = `${spot.path}[${index}]`;
    return { ...spot, path, offset: offsetOf(item, spot.offset), node: item };
  });
}

export function readTexts(spot: Spot | undefined): readonly string[] | undefined {
  return readItems(spot)?.flatMap((item) => readText(item) ?? []);
}

/** The value as it is, for key sets and the like that others check. */
export function toValue(spot: Spot): unknown {
  const node = resolve(spot);
  return isNode(node) ? node.toJS(spot.source.document) : undefined;
}

function unknownKey(
  key: string,
  known: readonly string[],
  instead: Readonly<Record<string, string>>,
): string {
  if (Object.hasOwn(instead, key)) return instead[key] ?? '';
  const near = suggest(key, known);
  const hint = near === undefined ? `Known are ${known.join(', ')}.` : `Did you mean ${near}?`;
  return `there is no such key. ${hint}`;
}

function scalarOf(spot: Spot): unknown {
  const node = resolve(spot);
  return isScalar(node) ? node.value : undefined;
}

function resolve({ node, source }: Spot): unknown {
  return isAlias(node) ? node.resolve(source.document) : node;
}

function offsetOf(node: unknown, otherwise: number): number {
  return (isNode(node) ? node.range?.[0] : undefined) ?? otherwise;
}
