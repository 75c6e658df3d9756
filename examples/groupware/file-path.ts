/** Paths of files as callers write them: from the root of the account, with or without slashes around. */
import type { FileEntry, FileQuery } from './backend.ts';
import { invalid } from './refuse.ts';

/** The names along a path; none for the root. Nothing that is returned can leave the account. */
export function toSegments(path: string): readonly string[] {
  const segments = path.split('/').filter((segment) => segment !== '');
  for (const segment of segments) {
    const fault = faultOf(segment);
    if (fault !== undefined) throw invalid('/path', fault);
  }
  return segments;
}

/** Whether callers can name a file like that. */
export function isName(name: string): boolean {
  return faultOf(name) === undefined;
}

function faultOf(name: string): string | undefined {
  // A backslash separates names on some systems, and Nextcloud allows none.
  if (name === '.' || name === '..' || /[\0\\]/.test(name)) {
    return 'A path is made of names; ., .., \\ and NUL are not allowed in it.';
  }
  return Buffer.byteLength(name) > 250 ? 'A name in the path is longer than 250 bytes.' : undefined;
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
  return name === undefined || matchesPattern(entry.name, name);
}

/** `%` stands for any characters; upper and lower case are the same. Takes the first place for each part. */
function matchesPattern(name: string, pattern: string): boolean {
  const text = name.toLowerCase();
  const [first = '', ...rest] = pattern.toLowerCase().split('%');
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const place = text.indexOf(part, at);
    if (place === -1) return false;
    at = place + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
