/**
 * Builds the package as it is published: the library as modules with their types, and the command line as
 * a bundle with a chunk for each command, since hundreds of small modules take longer to load than to run.
 * Dependencies stay outside the bundle. Used as `node scripts/build.ts [FOLDER]`.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const ANYBODY_RUNS = 0o755;

export async function build(folder: string): Promise<void> {
  const dist = join(folder, 'dist');
  rmSync(dist, { recursive: true, force: true });
  compile('tsconfig.build.json', dist);
  const modules = mkdtempSync(join(tmpdir(), 'plimsoll-build-'));
  try {
    compile('tsconfig.cli.json', modules);
    await bundle(join(modules, 'cli/bin.js'), join(dist, 'cli'));
  } finally {
    rmSync(modules, { recursive: true });
  }
  // The console finds them beside its own module, which is in the bundle.
  cpSync(join(ROOT, 'src/console/assets'), join(dist, 'cli/assets'), { recursive: true });
}

function compile(project: string, outDir: string): void {
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const args = ['-p', join(ROOT, project), '--outDir', outDir];
  // Standard output belongs to whoever builds.
  const { status } = spawnSync(process.execPath, [compiler, ...args], { stdio: ['ignore', 2, 2] });
  if (status !== 0) throw new Error(`${project} does not compile`);
}

async function bundle(main: string, folder: string): Promise<void> {
  await using made = await rolldown({
    input: { main },
    platform: 'node',
    external: (id) => !/^[./]/.test(id),
  });
  const names = { entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' };
  await made.write({ dir: folder, format: 'esm', ...names });
  chmodSync(join(folder, 'main.js'), ANYBODY_RUNS);
}

if (import.meta.main) await build(process.argv[2] ?? ROOT);
