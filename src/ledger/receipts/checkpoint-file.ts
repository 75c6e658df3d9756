/**
 * Checkpoints kept outside the ledger: a file of signed notes with a blank line after each. It is
 * only ever appended to, so that it can lie where the ledger's own machine cannot rewrite it.
 */
import { open, readFile, truncate } from 'node:fs/promises';

export interface CheckpointFile {
  /** The last note that was there when it was opened. */
  readonly newest: string | undefined;
  /** Resolves when the note is on the disk. */
  append(note: string): Promise<void>;
}

/** What a crash left half written at the end is dropped. */
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

/** Rejects when there is no such file. */
export async function readCheckpointFile(path: string): Promise<readonly string[]> {
  return notesOf(await readFile(path, 'utf8'));
}

/** The text of a checkpoint has no blank line, so that the first one stands before its signatures. */
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
