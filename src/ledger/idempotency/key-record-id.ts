/** What a key record is found by, and what people tell it apart by. The key itself is never stored. */
import { hash } from 'node:crypto';
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import { newId } from '../../lib/new-id.ts';
import type { Asking } from './key-record.ts';

/** Whose keys are kept apart from each other. */
export interface KeyScope {
  readonly tenant: string;
  readonly principal: string;
  readonly operation: string;
}

/** The same key means another record for each tenant, principal and operation. */
export function toKeyRecordId({ tenant, principal, operation }: KeyScope, key: string): string {
  return digest(toCanonicalJson([tenant, principal, operation, digest(key)]));
}

/** Enough to distinguish key records in a list; far too little to find the key. */
export function toKeyHint(key: string): string {
  return digest(key).slice(0, HINT_LENGTH);
}

/**
 * For a call without a key, whose record nobody finds by one. Neighbours in time are neighbours in the
 * index by id, so that the records of one commit share its pages.
 */
export function newKeyRecordId(): Pick<Asking, 'id' | 'keyHint'> {
  const id = newId();
  return { id, keyHint: id.slice(-HINT_LENGTH) };
}

const HINT_LENGTH = 8;

function digest(text: string): string {
  return hash('sha256', text, 'hex');
}
