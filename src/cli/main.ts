#!/usr/bin/env node
/** The script that people run. Keeps compiled code for the next start, so it loads the rest only then. */
import { enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** In the user's own folder: code that others can write to would run as this user. */
function cacheCompiled(): void {
  const given = process.env['XDG_CACHE_HOME'] ?? '';
  const caches = isAbsolute(given) ? given : join(homedir(), '.cache');
  enableCompileCache(join(caches, 'plimsoll', 'compiled'));
}

cacheCompiled();
const { runCommand } = await import('./run-command.ts');
await runCommand(process.argv.slice(2));
