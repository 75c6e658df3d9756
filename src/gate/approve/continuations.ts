/**
 * Lets a call go on that was dispatched under an approval and whose server has a question back: one
 * random number, good for one time.
 */
import { randomBytes } from 'node:crypto';
import type { Tx } from '../../ledger/store.ts';
import type { Binding } from './binding.ts';
import { toBinding } from './binding.ts';

export interface Continuations {
  /** Opens one on a used approval; an earlier one no longer counts. */
  openContinuation(tx: Tx, id: string): Promise<string>;
  /** Tells whether it was the one, for the very call that was approved. */
  takeContinuation(tx: Tx, id: string, binding: Binding, continuation: string): Promise<boolean>;
}

export const continuations: Continuations = Object.freeze({
  async openContinuation(tx: Tx, id: string) {
    const continuation = randomBytes(16).toString('hex');
    const isOpen = await tx.update('approvals', { id, state: 'USED' }, { continuation });
    if (!isOpen) throw new TypeError('only a call whose approval is used goes on');
    return continuation;
  },
  async takeContinuation(tx: Tx, id: string, binding: Binding, continuation: string) {
    if (continuation === '') return false;
    const expect = { ...toBinding(binding), id, state: 'USED', continuation };
    return tx.update('approvals', expect, { continuation: '' });
  },
});
