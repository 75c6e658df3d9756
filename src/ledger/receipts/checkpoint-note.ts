/**
 * A checkpoint of the log as a signed note, and back. A log is named after its first leaf, so that one
 * key can sign several logs and a note of one is never taken for a note of another.
 */
import type { KeyObject } from 'node:crypto';
import { open, readFile, truncate } from 'node:fs/promises';
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

/**
 * Checkpoints stored outside the ledger: a file of signed notes with a blank line after each. It is
 * append-only, so that it can be stored where the ledger's own machine cannot rewrite it.
 */
export interface CheckpointFile {
  /** The last note that was there when it was opened. */
  readonly newest: string | undefined;
  /** Resolves when the note is on the disk. */
  append(note: string): Promise<void>;
}

/** A note that a crash left incomplete at the end is dropped. */
export async function openCheckpointFile(path: string): Promise<CheckpointFile> {
  const text = await readText(path);
  const notes = notesOf(text);
  const whole = Buffer.byteLength(notes.map((note) => `${note}\n`).join(''));
  if (whole < Buffer.byteLength(text)) await truncate(path, whole);
  return {
    newest: notes.at(-1),
    append: async (note) => {
      await using file = await open(path, 'a');
      await file.appendFile(`${note}\n`);
      await file.sync();
    },
  };
}

/** Rejects when the file does not exist. */
export async function readCheckpointFile(path: string): Promise<readonly string[]> {
  return notesOf(await readFile(path, 'utf8'));
}

/** The text of a checkpoint has no blank line, so the first one precedes its signatures. */
function notesOf(text: string): readonly string[] {
  return [...text.matchAll(/([^]+?\n\n(?:— .+\n)+)\n/g)].map(([, note]) => note ?? '');
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
    throw error;
  }
}
