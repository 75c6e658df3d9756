/**
 * Checkpoints stored outside the ledger: a file of signed notes with a blank line after each. It is only
 * ever appended to, so that it can be stored where the ledger's own machine cannot rewrite it, and a file
 * that holds anything else is refused.
 */
import type { FileHandle } from 'node:fs/promises';
import { open, readFile, stat } from 'node:fs/promises';

export interface CheckpointFile {
  /** The last note that was there when it was opened. */
  readonly newest: string | undefined;
  /** Resolves when the note is on the disk. */
  append(note: string): Promise<void>;
}

/** The file holds something other than checkpoints of a ledger, or those of another one. */
export class CheckpointFileError extends TypeError {
  override readonly name = 'CheckpointFileError';
}

/** Created by the first note if it does not exist. */
export async function openCheckpointFile(path: string): Promise<CheckpointFile> {
  const notes = await readCheckpointFile(path).catch((error: unknown) => {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  });
  return {
    newest: notes.at(-1),
    append: async (note) => {
      await using file = await open(path, 'a+');
      await file.appendFile(`${await separatorOf(file)}${note}\n`);
      await file.sync();
    },
  };
}

/** Rejects when the file does not exist. A note that was cut off while it was written is skipped. */
export async function readCheckpointFile(path: string): Promise<readonly string[]> {
  // Reading a pipe or a device could wait forever.
  const notes = (await stat(path)).isFile() ? notesOf(await readFile(path, 'utf8')) : undefined;
  if (notes !== undefined) return notes;
  throw new CheckpointFileError(
    `${path} is not a checkpoint file and was not changed; name another one, or one that does not exist yet`,
  );
}

/** What ends a note that was cut off by a crash or a full disk, so that the next one can be read. */
async function separatorOf(file: FileHandle): Promise<string> {
  const { size } = await file.stat();
  const end = Buffer.alloc(Math.min(size, '\r\n\r\n'.length));
  await file.read(end, 0, end.length, size - end.length);
  if (size === 0 || /\n\r?\n$/.test(end.toString('latin1'))) return '';
  return end.at(-1) === 0x0a ? '\n' : '\n\n';
}

const BODY = /^plimsoll\/[\da-f]{16}\n\d{1,16}\n[A-Za-z\d+/]{43}=$/;
/** Others may add signatures of their own below ours. */
const SIGNATURES = /^— plimsoll\/[\da-f]{16} [A-Za-z\d+/]{91}=(?:\n— .+)*$/;

/** `undefined` when there is anything that a ledger does not write. Editors change the ends of lines. */
function notesOf(text: string): readonly string[] | undefined {
  const notes: string[] = [];
  const plain = text.replace(/^\u{feff}/u, '').replaceAll('\r\n', '\n');
  const blocks = plain.split(/\n{2,}/).map((block) => block.replace(/\n$/, ''));
  for (let at = 0; at < blocks.length; at += 1) {
    const [block = '', next = ''] = blocks.slice(at, at + 2);
    if (BODY.test(block) && SIGNATURES.test(next)) {
      notes.push(`${block}\n\n${next}\n`);
      at += 1;
    } else if (!isCutOff(block)) return undefined;
  }
  return notes;
}

const FIRST_WORDS = ['plimsoll/', '— plimsoll/'];
const CUT_OFF = [
  /^(?:— )?plimsoll\/[\da-f]{0,16}$/,
  /^plimsoll\/[\da-f]{16}\n\d{0,16}(?:\n[A-Za-z\d+/]{0,43}=?)?$/,
  /^— plimsoll\/[\da-f]{16} [A-Za-z\d+/]{0,91}=?$/,
  // The first or second of the three bytes of the dash.
  /^\u{fffd}$/u,
];

/** Whether it is how a note, or its signature, begins. */
function isCutOff(block: string): boolean {
  return (
    FIRST_WORDS.some((words) => words.startsWith(block)) ||
    CUT_OFF.some((pattern) => pattern.test(block))
  );
}
