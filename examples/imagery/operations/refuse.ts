/** The refusals that several operations share, as problems. */
import { ProblemError } from 'plimsoll/server';
import type { Bbox } from '../area.ts';
import { readBbox } from '../area.ts';
import type { EstimateError } from '../estimates.ts';
import type { Interval } from '../interval.ts';
import { readInterval } from '../interval.ts';
import type { Item } from '../item.ts';
import type { Short } from '../store/credits.ts';
import type { Collection } from '../store/collections.ts';
import type { Project } from '../store/projects.ts';
import type { Store } from '../store.ts';

/** Objects of other organisations count as not found. */
export function found<T>(value: T | undefined, kind: string, id: string): T {
  if (value === undefined) throw new ProblemError('not-found', `There is no ${kind} ${id}.`);
  return value;
}

export function foundProject(store: Store, organisation: string, id: string): Project {
  return found(store.projects.find(organisation, id), 'project', id);
}

/** A project that is not archived. */
export function openProject(store: Store, organisation: string, id: string): Project {
  const project = foundProject(store, organisation, id);
  if (!project.is_archived) return project;
  throw new ProblemError('conflict', `Project ${id} is archived; restore it first.`);
}

export function foundItem(store: Store, organisation: string, id: string): Item {
  return found(store.items.find(organisation, id), 'item', id);
}

export function foundCollection(
  store: Store,
  organisation: string,
  id: string,
  projectId?: string,
): Collection {
  const collection = found(store.collections.find(organisation, id), 'collection', id);
  const isThere = projectId === undefined || collection.project_id === projectId;
  return found(isThere ? collection : undefined, 'collection', id);
}

export function toBbox(numbers: readonly number[], pointer = '/bbox'): Bbox {
  const reading = readBbox(numbers);
  return reading.kind === 'valid' ? reading.bbox : invalid(pointer, reading.reason);
}

export function toInterval(text: string | undefined, pointer = '/datetime'): Interval {
  if (text === undefined) return {};
  const reading = readInterval(text);
  return reading.kind === 'valid' ? reading.interval : invalid(pointer, reading.reason);
}

export function invalid(pointer: string, reason: string): never {
  throw new ProblemError('invalid-input', reason, { errors: [{ pointer, detail: reason }] });
}

/**
 * If a part of an order cannot be bought, the whole order is refused, so that nobody pays for half of
 * it.
 */
export function refuseErrors(errors: readonly EstimateError[], pointer: string): void {
  if (errors.length === 0) return;
  throw new ProblemError('invalid-input', errors.map(({ reason }) => reason).join(' '), {
    errors: errors.map(({ index, reason }) => ({ pointer: `${pointer}/${index}`, detail: reason })),
  });
}

/** The price must be the one that was shown, or nothing happens. */
export function refuseOtherPrice(credits: number, expected: number | undefined): void {
  if (expected === undefined || expected === credits) return;
  const detail = `The price is ${credits} credits, not ${expected}. Show it and ask again.`;
  throw new ProblemError('conflict', detail);
}

export function refuseShort({ available, needed }: Short): never {
  const detail = `This costs ${needed} credits and ${available} are available; ${needed - available} are missing.`;
  throw new ProblemError('payment-required', detail);
}

/** Only the given fields, so that omitted ones stay as they are. */
export function given<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
