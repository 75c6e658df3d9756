/** The package as it is published: packed, unpacked beside its own dependencies alone, and imported with types. */
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);
const tsc = resolve('node_modules/.bin/tsc');
const CONSUMER = `
import type { Operation } from 'plimsoll';
import { defineOperation, reads } from 'plimsoll';
import { openLedger } from 'plimsoll/server';
import { readPolicy } from 'plimsoll/gate';
import { z } from 'zod';

export const ledger: typeof openLedger = openLedger;
export const isPolicy: boolean = readPolicy('mode: live').kind === 'policy';
export const getNote: Operation = defineOperation({
  name: 'get_note',
  title: 'Get a note',
  description: 'Gets a note.',
  effect: reads('note'),
  input: z.object({ id: z.string() }),
  run: ({ id }) => {
    // @ts-expect-error -- the schema says text; without its types this would be anything
    const wrong: number = id;
    void wrong;
  },
});
`;

/** As Markdown and the HTML in it write them. */
const LINK = /\]\(([^)\s]+)[^)]*\)|\b(?:href|src)="([^"]+)"|^\[[^\]]+\]:\s*(\S+)/gm;

/** Folders of the repository that the package lacks, as code names their files. */
const ABSENT = /(?:^|[\s`])((?:bench|bin|scripts|src|test)\/[\w<>./*-]*)/g;
const SAYS_WHERE = /\bin\s+(?:the|a\s+clone\s+of\s+this)\s+repository\b/i;

let folder = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-package-'));
  const staged = join(folder, 'staged');
  await run(tsc, [
    '-p',
    'tsconfig.build.json',
    '--outDir',
    join(staged, 'dist'),
    '--emitDeclarationOnly',
  ]);
  for (const part of ['package.json', 'CHANGELOG.md', 'docs'])
    cpSync(part, join(staged, part), { recursive: true });
  const pack = ['pack', '--ignore-scripts', '--silent', '--pack-destination', folder];
  const { stdout } = await run('npm', pack, { cwd: staged });
  const modules = join(folder, 'consumer', 'node_modules');
  mkdirSync(join(modules, 'plimsoll'), { recursive: true });
  const unpack = ['-xzf', join(folder, stdout.trim()), '--strip-components=1'];
  await run('tar', unpack, { cwd: join(modules, 'plimsoll') });
  for (const name of [...installedNames(), '@types/node', 'undici-types']) {
    mkdirSync(dirname(join(modules, name)), { recursive: true });
    symlinkSync(resolve('node_modules', name), join(modules, name));
  }
}, 120_000);

afterAll(() => rmSync(folder, { recursive: true }));

/** What an install of the package brings to the top of `node_modules`. */
function installedNames(): readonly string[] {
  const lock = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: true; readonly link?: true }>>;
  };
  return Object.entries(lock.packages).flatMap(([path, { dev, link }]) => {
    const name = /^node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1];
    return name === undefined || dev === true || link === true ? [] : [name];
  });
}

/**
 * The parts of a page within which saying "in the repository" covers a path: a sentence, an item of a list, a table
 * with its head, a block of code.
 */
function partsOf(page: string): readonly string[] {
  return page
    .split(/^(```[^]*?^```)$/m)
    .flatMap((part) =>
      part.startsWith('```')
        ? [part]
        : part
            .split(/\n{2,}|\n(?=(?:[-*]|\d+\.) )/)
            .flatMap((block) => (block.startsWith('|') ? [block] : block.split(/(?<=[.?!])\s+/))),
    );
}

/** Paths in code of the part that a user of the package would look for in vain. */
function absentPaths(part: string): readonly string[] {
  if (SAYS_WHERE.test(part)) return [];
  const code = part.startsWith('```') ? [part] : (part.match(/`[^`]+`/g) ?? []);
  return code.flatMap((each) => [...each.matchAll(ABSENT)].map(([, path = '']) => path));
}

interface Packed {
  readonly files: readonly { readonly path: string }[];
}

describe('the published package', () => {
  it('has every page that its own pages link to', async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--ignore-scripts', '--json']);
    const [packed] = JSON.parse(stdout) as readonly Packed[];
    const paths = new Set(packed?.files.map(({ path }) => path));
    const pages = [...paths].filter((path) => /\.(?:md|txt)$/.test(path));
    expect(pages).toEqual(
      expect.arrayContaining(['README.md', 'CHANGELOG.md', 'docs/llms.txt', 'docs/gate.md']),
    );
    const links = pages.flatMap((page) =>
      [...readFileSync(page, 'utf8').matchAll(LINK)]
        .map(([, inline, quoted, reference]) => inline ?? quoted ?? reference ?? '')
        .filter((target) => !/^(?:[a-z][a-z\d+.-]*:|#)/i.test(target))
        .map((target) => ({ page, to: join(dirname(page), target.replace(/[#?].*$/, '')) })),
    );
    expect(links.length).toBeGreaterThan(100);
    expect(links.filter(({ to }) => !paths.has(to))).toEqual([]);
  });

  it('says of each file that it lacks that it is in the repository', async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--ignore-scripts', '--json']);
    const [packed] = JSON.parse(stdout) as readonly Packed[];
    const pages = (packed?.files ?? [])
      .map(({ path }) => path)
      .filter((path) => /\.(?:md|txt)$/.test(path));
    const absent = pages.flatMap((page) =>
      partsOf(readFileSync(page, 'utf8')).flatMap((part) =>
        absentPaths(part).map((path) => `${page}: ${path}`),
      ),
    );
    expect(absent).toEqual([]);
    expect(absentPaths('Read `src/index.ts` first.')).toEqual(['src/index.ts']);
    expect(absentPaths('```sh\nbin/plimsoll gate\n```')).toEqual(['bin/plimsoll']);
    expect(absentPaths('Read `src/index.ts` in the repository.')).toEqual([]);
  });

  it('has types that need nothing but its own dependencies', async () => {
    const consumer = join(folder, 'consumer');
    writeFileSync(join(consumer, 'package.json'), '{"type":"module"}');
    writeFileSync(join(consumer, 'main.ts'), CONSUMER);
    const compilerOptions = {
      target: 'es2024',
      lib: ['es2024', 'esnext.disposable'],
      module: 'nodenext',
      types: ['node'],
      strict: true,
      noEmit: true,
      // So that a declaration that imports a missing package is an error, not `any`.
      skipLibCheck: false,
    };
    const config = { compilerOptions, files: ['main.ts'] };
    writeFileSync(join(consumer, 'tsconfig.json'), JSON.stringify(config));
    const errors = await run(tsc, ['-p', '.'], { cwd: consumer }).then(
      () => '',
      ({ stdout }: { readonly stdout: string }) => stdout,
    );
    // Declarations of other packages are not ours to check.
    const ours = errors
      .split('\n')
      .filter((line) => /^(?:node_modules\/plimsoll\/|main)/.test(line));
    expect(ours).toEqual([]);
  }, 60_000);
});
