/**
 * Finds a symbolic link on the way to a file. Links above the folder that the user is in, above the home
 * folder, and those at the root are the machine's and the user's own.
 */
import { lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join, parse, relative, resolve, sep } from 'node:path';

/** The path of the first one. */
export function findLink(file: string): string | undefined {
  const path = resolve(file);
  const { root } = parse(path);
  const [first = ''] = path.slice(root.length).split(sep);
  const above = [process.cwd(), homedir()].filter((folder) => isBelow(path, folder));
  const [base = ''] = [...above, join(root, first)].toSorted((a, b) => b.length - a.length);
  let at = base;
  for (const part of relative(at, path).split(sep)) {
    at = join(at, part);
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true) return at;
  }
  return undefined;
}

function isBelow(path: string, folder: string): boolean {
  const rest = relative(folder, path);
  return rest !== '' && !isAbsolute(rest) && rest.split(sep)[0] !== '..';
}
