/** Data flows one way: a folder of src imports itself and what stands above it here, nothing below. */
import { globSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { describe, expect, it } from 'vitest';

const LAYERS = [
  ['effect'],
  ['lib'],
  ['ledger'],
  ['invoke'],
  ['serve'],
  ['gate'],
  ['check'],
  ['verify'],
  ['console'],
  ['cli'],
] as const;

const ENTRY = 'src/index.ts';
const files = globSync('src/**/*.ts').filter((file) => file !== ENTRY);

function layerOf(file: string): number {
  const folder = file.split('/')[1] ?? '';
  return LAYERS.findIndex((names) => (names as readonly string[]).includes(folder));
}

function importsOf(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^(?:import|export)[^'"]*from '(\.[^']+)'/gm)].map(([, path]) =>
    normalize(join(dirname(file), path ?? '')),
  );
}

describe('import order', () => {
  it('knows every folder of src', () => {
    expect(files.filter((file) => layerOf(file) === -1)).toEqual([]);
    expect(files.length).toBeGreaterThan(40);
  });

  it('goes down the list only', () => {
    const upward = files.flatMap((file) =>
      importsOf(file)
        .filter((target) => target !== ENTRY && layerOf(target) > layerOf(file))
        .map((target) => `${file} imports ${target}`),
    );
    expect(upward).toEqual([]);
  });

  it('lets only the entries gather: nothing but an entry imports the package entry', () => {
    const gatherers = files.filter((file) => importsOf(file).includes(ENTRY));
    expect(gatherers).toEqual(['src/serve/index.ts']);
  });

  it('keeps effect free of anything of ours, and of anything that acts', () => {
    const reaching = files
      .filter((file) => file.startsWith('src/effect/') && !file.endsWith('.test.ts'))
      .filter((file) => /from 'node:/.test(readFileSync(file, 'utf8')));
    expect(reaching).toEqual([]);
  });

  it('no code outside effect compares tier names', () => {
    const comparing = files
      .filter((file) => !file.startsWith('src/effect/') && !file.endsWith('.test.ts'))
      .filter((file) => /tier\s*[!=]==?\s*['"]/.test(readFileSync(file, 'utf8')));
    expect(comparing).toEqual([]);
  });

  it('starts a gate over stdio without what only other gates need', () => {
    const heavy = [
      '@hono',
      '@marcbachmann',
      '@modelcontextprotocol',
      'hono',
      'pg',
      'undici',
      'yaml',
      'zod',
    ];
    const seen = new Set<string>();
    const visit = (file: string): readonly string[] => {
      if (seen.has(file)) return [];
      seen.add(file);
      const text = readFileSync(file, 'utf8');
      // Types are erased, and what a command imports on demand is loaded when it is used.
      const loaded = [...text.matchAll(/^(?:import|export) (?!type\b)[^'";]*?from '([^']+)'/gm)];
      return loaded.flatMap(([, path = '']) =>
        path.startsWith('.')
          ? visit(normalize(join(dirname(file), path)))
          : heavy.includes(path.split('/')[0] ?? '')
            ? [`${file} imports ${path}`]
            : [],
      );
    };
    expect(visit('src/cli/gate.ts')).toEqual([]);
    expect(seen.size).toBeGreaterThan(100);
  });
});
