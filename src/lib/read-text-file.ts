/** The text of a file that a person named, without a byte order mark. Throws an Error with one sentence. */
import { readFile } from 'node:fs/promises';
import { describeFileError } from './describe-file-error.ts';

export async function readTextFile(path: string): Promise<string> {
  try {
    return (await readFile(path, 'utf8')).replace(/^\u{feff}/u, '');
  } catch (error) {
    throw new Error(`${path} cannot be read: ${describeFileError(error)}`, { cause: error });
  }
}
