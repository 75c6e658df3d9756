/**
 * A checkpoint of the log as a signed note, and back. A log is named after its first leaf, so that one
 * key can sign several logs and a note of one is never taken for a note of another.
 */
import type { KeyObject } from 'node:crypto';
import type { Checkpoint } from '../../lib/checkpoint.ts';
import { formatCheckpoint, readCheckpoint } from '../../lib/checkpoint.ts';
import { isNoteKeyName, toNoteSigner, toNoteVerifier } from '../../lib/note-key.ts';
import { readNote, signNote, verifyNote } from '../../lib/signed-note.ts';

export type SignedCheckpoint =
  | { readonly kind: 'checkpoint'; readonly checkpoint: Checkpoint }
  | { readonly kind: 'refused'; readonly detail: string };

/** `firstLeaf` is the hex of the leaf hash of the first receipt. */
export function originOf(firstLeaf: string): string {
  return `plimsoll/${firstLeaf.slice(0, 16)}`;
}

export function signCheckpoint(checkpoint: Checkpoint, signingKey: KeyObject): string {
  return signNote(formatCheckpoint(checkpoint), toNoteSigner(checkpoint.origin, signingKey));
}

/** Returns a checkpoint only if the key has signed it under the name of its log. */
export function readSignedCheckpoint(note: string, publicKey: KeyObject): SignedCheckpoint {
  const claimed = readNote(note);
  if (claimed.kind === 'refused') return refuse(claimed.detail);
  const read = readCheckpoint(claimed.text);
  if (read.kind === 'refused') return refuse(read.detail);
  const { checkpoint } = read;
  if (!isNoteKeyName(checkpoint.origin)) return refuse('The origin is not the name of a key.');
  const verdict = verifyNote(note, [toNoteVerifier(checkpoint.origin, publicKey)]);
  if (verdict.kind === 'refused') return refuse(verdict.detail);
  return Object.freeze({ kind: 'checkpoint', checkpoint });
}

function refuse(detail: string): SignedCheckpoint {
  return Object.freeze({ kind: 'refused', detail });
}
