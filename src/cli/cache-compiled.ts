/** Keeps compiled code for the next start. Only what is loaded after it is kept, so nothing comes before it. */
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** In the user's own folder: code that others can write to would run as this user. */
export function cacheCompiled(): void {
  const given = process.env['XDG_CACHE_HOME'] ?? '';
  const caches = isAbsolute(given) ? given : join(homedir(), '.cache');
  enableCompileCache(join(caches, 'plimsoll', 'compiled'));
}
