/** Paths of files as callers write them: from the root of the account, with or without slashes around. */
import type { FileEntry, FileQuery } from './backend.ts';
import { invalid } from './refuse.ts';

/** The names along a path; none for the root. Nothing that is returned can leave the account. */
export function toSegments(path: string): readonly string[] {
  const segments = path.split('/').filter((segment) => segment !== '');
  for (const segment of segments) {
    if (segment === '.' || segment === '..' || segment.includes('\0')) {
      throw invalid('/path', 'A path is made of names; . and .. and NUL are not allowed in it.');
    }
    if (Buffer.byteLength(segment) > 250) {
      throw invalid('/path', 'A name in the path is longer than 250 bytes.');
    }
  }
  return segments;
}

export function toPath(path: string): string {
  return toSegments(path).join('/');
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

export function matchesQuery(entry: FileEntry, query: FileQuery): boolean {
  const { name, mimeType, onlyFavorites } = query;
  if (onlyFavorites === true && !entry.is_favorite) return false;
  if (mimeType !== undefined && (entry.is_directory || !entry.content_type.startsWith(mimeType))) {
    return false;
  }
  return name === undefined || toPattern(name).test(entry.name);
}

/** `%` stands for any characters; upper and lower case are the same. */
function toPattern(name: string): RegExp {
  const parts = name
    .split('%')
    .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join('.*')}$`, 'isu');
}
