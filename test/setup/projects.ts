/**
 * Which test files are `pure` and which are `system`, by what they can reach: a file whose modules,
 * at any depth, can start a process or open a socket, a database or a browser is `system`. Nobody
 * chooses, so a test that gains such an import changes its project by itself.
 */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';

export interface TestProjects {
  readonly pure: readonly string[];
  readonly system: readonly string[];
}

export const TEST_FILES: readonly string[] = [
  'src/**/*.test.ts',
  'test/**/*.test.ts',
  'examples/*/**/*.test.ts',
];

const REACHES_OUT: ReadonlySet<string> = new Set([
  ...['child_process', 'cluster', 'dgram', 'http', 'http2', 'https', 'net', 'sqlite', 'tls'].map(
    (name) => `node:${name}`,
  ),
  'node:worker_threads',
  '@hono/node-server',
  '@modelcontextprotocol/sdk',
  '@modelcontextprotocol/client/stdio',
  'pg',
  'playwright-core',
  'undici',
]);

/** A statement that loads something when it runs: `import type` does not. */
const STATIC = /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\bfrom\s*)?'([^']+)'/gm;
const DYNAMIC = /\b(?:import|getBuiltinModule)\('([^']+)'\)/g;

export function sortTests(): TestProjects {
  const files = globSync([...TEST_FILES], { exclude: ['**/node_modules/**'] }).toSorted();
  const systemFiles = new Set(files.filter((file) => reachOf(file).length > 0));
  return {
    pure: files.filter((file) => !systemFiles.has(file)),
    system: files.filter((file) => systemFiles.has(file)),
  };
}

/** What a file can reach of the outside, each as `module (from the file that imports it)`. */
export function reachOf(file: string): readonly string[] {
  const seen = new Set<string>();
  const found: string[] = [];
  const rest = [file];
  for (let next = rest.pop(); next !== undefined; next = rest.pop()) {
    for (const specifier of importsOf(next)) {
      const target = specifier.startsWith('.')
        ? normalize(join(dirname(next), specifier))
        : (OUR_ENTRIES.get(specifier) ?? specifier);
      if (reachesOut(target)) found.push(`${target} (from ${next})`);
      if (seen.has(target) || !/^(?:src|test|examples|scripts)\/.*\.(?:ts|mjs|js)$/.test(target))
        continue;
      seen.add(target);
      rest.push(target);
    }
  }
  return found;
}

function reachesOut(target: string): boolean {
  return [...REACHES_OUT].some((name) => target === name || target.startsWith(`${name}/`));
}

const known = new Map<string, readonly string[]>();

function importsOf(file: string): readonly string[] {
  const before = known.get(file);
  if (before !== undefined) return before;
  const text = readFileSync(file, 'utf8');
  const found = [STATIC, DYNAMIC].flatMap((pattern) =>
    [...text.matchAll(pattern)].map(([, specifier]) => specifier ?? ''),
  );
  known.set(file, found);
  return found;
}

/** The examples import the package by its name. */
const OUR_ENTRIES: ReadonlyMap<string, string> = new Map(
  Object.entries(
    (
      JSON.parse(readFileSync('package.json', 'utf8')) as {
        readonly exports: Record<string, string | { readonly 'plimsoll-source': string }>;
      }
    ).exports,
  ).flatMap(([path, target]) =>
    typeof target === 'string'
      ? []
      : [[`plimsoll${path.slice(1)}`, normalize(target['plimsoll-source'])] as const],
  ),
);
