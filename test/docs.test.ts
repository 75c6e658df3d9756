/** The docs tell what the code has: generated parts are fresh, catalogues match, every page is indexed. */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { runInNewContext } from 'node:vm';
import type { Convention, Effect } from 'plimsoll';
import * as plimsollEntry from 'plimsoll';
import { CALL_META_KEYS, closient, HINT_NAMES, META_KEYS, plimsoll, TIER_NAMES } from 'plimsoll';
import { PROBLEMS } from 'plimsoll/server';
import { describe, expect, it } from 'vitest';
import { generatedDocs } from '../scripts/generated-docs.ts';
import { declarations as epdTools } from './conventions/epd.ts';

function read(path: string): string {
  return readFileSync(path, 'utf8');
}

/** First cells of a Markdown table that hold one code word. */
function codesIn(page: string): Set<string> {
  return new Set([...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, code]) => code ?? ''));
}

describe('generated docs', () => {
  it.each(Object.entries(generatedDocs()))(
    '%s is what npm run generate writes',
    (path, content) => {
      expect(read(path)).toBe(content);
    },
  );

  it('docs/errors.md lists every problem code and no other', () => {
    expect(codesIn(read('docs/errors.md'))).toEqual(new Set(Object.keys(PROBLEMS)));
  });

  it('docs/meta-keys.md lists every key and no other', () => {
    const keys = [...Object.values(META_KEYS), ...Object.values(CALL_META_KEYS)].map(
      ({ key }) => key,
    );
    expect(codesIn(read('docs/meta-keys.md'))).toEqual(new Set(keys));
  });
});

describe('the threat model', () => {
  it('lists every attack, which needs its title to be written where it is made', () => {
    const made = globSync('test/attacks/*.test.ts').flatMap((path) => [
      ...read(path).matchAll(/^ *attack\(/gm),
    ]);
    const listed = [...read('docs/threat-model.md').matchAll(/^\| an? [^|]+ \|/gm)];
    expect(listed).toHaveLength(made.length);
    expect(made.length).toBeGreaterThan(0);
  });
});

describe('the docs index', () => {
  const pages = globSync('docs/**/*.md').map((path) => relative('docs', path));
  const linked = [...read('docs/llms.txt').matchAll(/\]\(([^)]+)\)/g)].map(
    ([, path]) => path ?? '',
  );

  it('R179 R182: points to every page, all of them Markdown, and to nothing else', () => {
    expect(new Set(linked)).toEqual(new Set(pages));
    expect(linked.every((path) => path.endsWith('.md'))).toBe(true);
  });

  it('no page has a dead relative link', () => {
    const all = [...globSync('docs/**/*.md'), ...globSync('*.md'), ...globSync('examples/*/*.md')];
    const dead = all.flatMap((page) =>
      [...read(page).matchAll(/\]\((?!https?:)([^)#]+)(?:#[^)]*)?\)/g)]
        .map(([, path]) => join(dirname(page), path ?? ''))
        .filter((path) => !existsSync(path))
        .map((path) => `${page} → ${path}`),
    );
    expect(dead).toEqual([]);
  });
});

describe('what the pages must say', () => {
  it('R180: tiers, the hint table, how to gate in order, and the sharp edges', () => {
    const page = read('docs/tiers.md');
    for (const tier of TIER_NAMES)
      expect(page).toMatch(new RegExp(`\\| \`${tier}\` \\| \`(true|false)\``));
    for (const hint of HINT_NAMES) expect(page).toContain(`\`${hint}\``);
    const order = [...page.matchAll(/^\d\. `(\w+)`/gm)].map(([, tier]) => tier);
    expect(order).toEqual(['read', 'external_spend', 'destructive', 'share_export', 'compute']);
    expect(page).toContain('## Sharp edges');
  });

  it('R216: how the gate differs from the published sample, and why', () => {
    expect(read('docs/tiers.md')).toMatch(
      /neither a tier nor `readOnlyHint`[^.]*lets it run[^]*?asks, because/,
    );
  });

  it('R178: the narrow reading of destructive and its price', () => {
    const page = read('docs/conventions.md');
    expect(page).toMatch(/\*\*narrow\*\*[^]*not any mutation/);
    expect(page).toMatch(/price of leaving the hint out/);
  });

  it('R193: each flag, with example tools that exist', () => {
    const page = read('docs/conventions.md');
    const names = new Set(epdTools.map(({ name }) => name));
    for (const hint of HINT_NAMES) expect(page).toContain(`### \`${hint}\``);
    for (const name of [
      'get_customer',
      'list_orders',
      'delete_customer',
      'cancel_subscription',
      'refund_order',
    ]) {
      expect(page).toContain(`\`${name}\``);
      expect(names).toContain(name);
    }
  });

  it('R190: that a wrong annotation misleads, and that behaviour is tested against it', () => {
    expect(read('CONTRIBUTING.md')).toMatch(
      /wrong annotation misleads every host[^]*test of what the tool \*does\*/,
    );
  });

  it('R106: replay on one page, with every answer a key can get, and nowhere else', () => {
    const page = read('docs/idempotency.md');
    const codes = Object.keys(PROBLEMS).filter((code) =>
      /^key-|in-flight|outcome|not-executed|same-key/.test(code),
    );
    expect(codes.length).toBeGreaterThan(8);
    for (const code of codes) expect(page).toContain(`\`${code}\``);
    const others = globSync('docs/*.md').filter(
      (path) => !/idempotency|errors|meta-keys/.test(path),
    );
    for (const path of others) expect(read(path)).not.toMatch(/Idempotent-Replayed|key-reused/);
  });

  it('how to handle a secret that is shown once', () => {
    const page = read('docs/secrets.md');
    expect(page).toMatch(/keep the result at once/);
    expect(page).toMatch(/out of logs, transcripts and later prompts/);
  });

  /** Code of these pages, with the builders that it uses. */
  const evaluate = (code: string): unknown => runInNewContext(code, { ...plimsollEntry });
  const trueHints = (effect: Effect, convention: Convention): readonly string[] =>
    HINT_NAMES.filter((name) => convention.hints(effect)[name] === true);

  it('R184: patterns for contributors, each with the annotations that it really gets', () => {
    expect(read('CONTRIBUTING.md')).toContain('docs/declaring.md#patterns');
    const [, table = ''] = /## Patterns\n([^]*?)\n## /.exec(read('docs/declaring.md')) ?? [];
    const rows = [...table.matchAll(/^\| [^|]+ \| `(\w+\(.+\))` \| ([^|]+) \|$/gm)];
    expect(rows.length).toBeGreaterThan(10);
    for (const [, code = '', hints = ''] of rows) {
      const effect = evaluate(code) as Effect;
      const told = [...hints.matchAll(/`(\w+)`/g)].map(([, name]) => name);
      expect([code, told]).toEqual([code, trueHints(effect, plimsoll)]);
    }
  });

  it('R185: a template and a review checklist that speak of annotations, and truly', () => {
    const guide = read('docs/adding-a-tool.md');
    const [, effect = '', hints = ''] =
      /defineOperation\({[^]*?effect: (\w+\([^\n]*\)),[^\n]*annotations[^]*?\/\/ (.*Hint.*)\n/.exec(
        guide,
      ) ?? [];
    const told = Object.fromEntries(
      [...hints.matchAll(/(\w+Hint) (true|false)/g)].map(([, name, value]) => [
        name,
        value === 'true',
      ]),
    );
    expect(told).toEqual(closient.hints(evaluate(effect) as Effect));
    const [, checklist = ''] = /## Review checklist\n([^]*?)\n## /.exec(guide) ?? [];
    expect(checklist).toMatch(/^- .*annotation/m);
  });

  it('R186: every decision has a status with its date, what it resolved when, and what is open since when', () => {
    const paths = globSync('docs/decisions/0*.md');
    expect(paths.length).toBeGreaterThan(10);
    for (const path of paths) {
      const text = read(path);
      expect([path, text]).toEqual([
        path,
        expect.stringMatching(/^\d{4}-\d{2}-\d{2}, (accepted|overturned)/m),
      ]);
      expect([path, text]).toEqual([
        path,
        expect.stringMatching(/\*\*Question, resolved \d{4}-\d{2}-\d{2}\.\*\*/),
      ]);
      expect([path, text]).toEqual([
        path,
        expect.stringMatching(/\*\*Open since \d{4}-\d{2}-\d{2}[,.]|\*\*Open\.\*\* Nothing\./),
      ]);
    }
  });

  it('R223: the decision on the Nextcloud convention has its dates, consequences and mitigations', () => {
    const text = read('docs/decisions/0013-the-nextcloud-convention.md');
    const [status = ''] = /^\d{4}-\d{2}-\d{2}, accepted[^]*?\n\n/m.exec(text) ?? [];
    for (const step of ['Proposed', 'reviewed']) {
      expect(status).toMatch(new RegExp(`${step} \\d{4}-\\d{2}-\\d{2}`));
    }
    const [, consequences = '', mitigations = ''] =
      /\*\*Consequences\.\*\*\n([^]*?)\*\*Mitigations\.\*\*\n([^]*?)\*\*Open since/.exec(text) ??
      [];
    for (const kind of ['Good', 'Bad', 'Neutral']) {
      expect(consequences).toMatch(new RegExp(`^- ${kind}: \\S`, 'm'));
    }
    expect(mitigations.match(/^- /gm)?.length).toBeGreaterThan(1);
    expect(text.match(/^\| [^|]+\? \| \d{4}-\d{2}-\d{2} \|/gm)?.length).toBeGreaterThan(3);
  });

  it('R187: the phases for a server that exists: titles, then hints, then parameter descriptions', () => {
    expect(read('docs/adding-a-tool.md')).toMatch(
      /titles[^]*then effects[^]*then parameter descriptions/,
    );
  });
});

describe('ARCHITECTURE.md', () => {
  const walks = [...read('ARCHITECTURE.md').matchAll(/^### (A .+)\n([^]*?)(?=^##)/gm)];
  const steps = walks.flatMap(([, title = '', text = '']) =>
    [...text.matchAll(/`([\w/-]+\.ts)`((?:, `#?[\w.]+`)*)/g)].map(([, file = '', names = '']) => {
      const path = file.startsWith('src/') ? file : join('src/gate', file);
      return { title, path, names: [...names.matchAll(/(\w+)`/g)].map(([, name]) => name ?? '') };
    }),
  );

  it('walks a read, a spend with a question and a cancelled call in at most 15 files each', () => {
    expect(walks.map(([, title]) => title)).toEqual([
      'A read',
      'A spend with a question',
      'A cancelled call',
    ]);
    for (const [, title] of walks) {
      const files = steps.filter((step) => step.title === title).map(({ path }) => path);
      expect(new Set(files).size).toBeGreaterThan(5);
      expect(new Set(files).size).toBeLessThanOrEqual(15);
    }
  });

  it('names files that exist, and in each of them what it says is there', () => {
    expect(steps.filter(({ path }) => !existsSync(path))).toEqual([]);
    const missing = steps.flatMap(({ path, names }) =>
      names.filter((name) => !read(path).includes(name)).map((name) => `${name} in ${path}`),
    );
    expect(missing).toEqual([]);
  });
});
