/** Keeps compiled code for the next start. Only what is loaded after it is kept, so nothing comes before it. */
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** By then a process that runs for long has started, and others have ended. */
const PRUNE_AFTER_MS = 60_000;

/** In the user's own folder: code that others can write to would run as this user. */
export function cacheCompiled(): void {
  const given = process.env['XDG_CACHE_HOME'] ?? '';
  const caches = isAbsolute(given) ? given : join(homedir(), '.cache');
  const folder = join(caches, 'plimsoll', 'compiled');
  enableCompileCache(folder);
  pruneLater(folder);
}

export function pruneLater(folder: string): void {
  setTimeout(() => void prune(folder), PRUNE_AFTER_MS).unref();
}

async function prune(folder: string): Promise<void> {
  const { pruneCompiled } = await import('./prune-compiled.ts');
  await pruneCompiled(folder, Date.now());
}
