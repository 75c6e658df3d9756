/** Why a file cannot be read or written, in a sentence of its own; other errors in their own words. Pure. */

const SENTENCES: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  ENOTDIR: 'it does not exist, since a part of its path is a file',
  EISDIR: 'it is a folder',
  EACCES: 'its permissions do not allow it for this user',
  EPERM: 'the system does not allow it for this user',
  EROFS: 'its disk is read-only',
  ENOSPC: 'the disk is full',
  ELOOP: 'it is a symbolic link',
};

export function describeFileError(error: unknown): string {
  const { code = '', message } = error as NodeJS.ErrnoException; // or any other error
  return SENTENCES[code] ?? message;
}
