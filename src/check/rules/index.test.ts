/** Every folder is a rule that is listed, tested and described; pages and codes agree in both directions. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ENGINE_RULES } from '../check-server.ts';
import { PROFILE_NAMES, SEVERITIES } from '../read-check-config.ts';
import { toSubject } from '../subject.ts';
import { RULES } from './index.ts';

const here = fileURLToPath(new URL('.', import.meta.url));
const folders = readdirSync(here, { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);

const HOSTILE: readonly unknown[] = [
  null,
  undefined,
  7,
  'tool',
  [],
  {},
  { name: 5, title: {}, description: [], inputSchema: 'x', annotations: 3, _meta: [] },
  { name: '', inputSchema: { type: 9, properties: [1], required: 'a' }, annotations: [] },
  {
    name: 'x',
    inputSchema: {
      type: 'object',
      properties: { a: null, b: 4, c: { type: [null, {}], enum: 1 } },
    },
    annotations: { readOnlyHint: {}, title: 5 },
    outputSchema: null,
  },
  { name: 'y', inputSchema: { properties: { __proto__: 1, constructor: { $ref: 5, anyOf: 3 } } } },
  { name: 'z\u0000\u202E', description: 'a'.repeat(100_000), inputSchema: { $defs: { a: true } } },
];

describe('the rules', () => {
  it('are exactly the folders, each once', () => {
    expect(RULES.map(({ id }) => id).toSorted()).toEqual(folders.toSorted());
    expect(folders.length).toBeGreaterThan(0);
  });

  it('share no id and no code with one another or the engine', () => {
    const all = [...RULES, ...ENGINE_RULES];
    const codes = all.flatMap((rule) => Object.keys(rule.codes));
    expect(codes.length).toBe(new Set(codes).size);
    expect(all.length).toBe(new Set(all.map(({ id }) => id)).size);
  });

  it.each(folders)('%s has rule, test and page', (folder) => {
    for (const file of ['rule.ts', 'rule.test.ts', 'rule.md'])
      expect({ file, exists: existsSync(join(here, folder, file)) }).toEqual({
        file,
        exists: true,
      });
  });

  it.each(RULES)('$id says on its page the codes that it gives, and no other', ({ id, codes }) => {
    const page = readFileSync(join(here, id, 'rule.md'), 'utf8');
    expect(page).toMatch(new RegExp(`^# ${id}\n`));
    const listed = [...page.matchAll(/^\| `([^`]+)` \|/gm)].map(([, code]) => code ?? '');
    expect(listed.toSorted()).toEqual(Object.keys(codes).toSorted());
  });

  it.each(RULES)('$id is well formed', (rule) => {
    const codes = Object.keys(rule.codes);
    expect(codes.length).toBeGreaterThan(0);
    for (const code of codes) expect(code === rule.id || code.startsWith(`${rule.id}/`)).toBe(true);
    expect('checkTool' in rule || 'checkServer' in rule).toBe(true);
    expect(rule.summary).toMatch(/\w \w/);
    expect(rule.cost).toMatch(/\w \w/);
    for (const [profile, severity] of Object.entries(rule.profiles ?? {})) {
      expect(PROFILE_NAMES).toContain(profile);
      expect([...SEVERITIES, 'off']).toContain(severity);
    }
  });

  it.each(RULES)(
    '$id does not throw on what no schema allows, and gives only its codes',
    (rule) => {
      const subject = toSubject('s', HOSTILE, { neighbours: [{ name: 'n', tools: ['x', ''] }] });
      const drafts = [
        ...(rule.checkServer?.(subject) ?? []),
        ...subject.tools.flatMap((tool) => rule.checkTool?.(tool, subject) ?? []),
      ];
      for (const { code } of drafts) expect(Object.keys(rule.codes)).toContain(code);
    },
  );
});
