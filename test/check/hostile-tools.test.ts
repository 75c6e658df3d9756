/** Tools as hostile servers send them: wrong types anywhere. No rule may throw, or give what it does not list. */
import { globSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Rule } from '../../src/check/rule.ts';
import { goodTool, tryRule } from '../support/try-rule.ts';

const rules = await Promise.all(
  globSync('src/check/rules/*/rule.ts').map(async (path) => {
    const module = (await import(pathToFileURL(path).href)) as { rule: Rule }; // every rule.ts exports it
    return module.rule;
  }),
);

const KEYS = [
  'name',
  'title',
  'description',
  'inputSchema',
  'annotations',
  '_meta',
  'outputSchema',
];
const wild = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom(...KEYS.flatMap((key) => Object.values({ key, value: goodTool()[key] ?? null }))),
);
const schema = fc.record(
  { type: wild, properties: fc.oneof(wild, fc.dictionary(fc.string(), wild)), required: wild },
  { requiredKeys: [] },
);
const tool = fc.oneof(
  fc.jsonValue(),
  fc.record(
    {
      name: fc.oneof(fc.string(), wild),
      title: wild,
      description: fc.oneof(fc.string(), wild),
      inputSchema: fc.oneof(schema, wild),
      outputSchema: fc.oneof(schema, wild),
      annotations: fc.oneof(
        wild,
        fc.record(
          { title: wild, readOnlyHint: wild, destructiveHint: wild, idempotentHint: wild },
          { requiredKeys: [] },
        ),
      ),
      _meta: wild,
    },
    { requiredKeys: [] },
  ),
);

describe('hostile tools', () => {
  it.each(rules.map((rule) => [rule.id, rule] as const))('%s throws at none', (_, rule) => {
    const neighbours = [{ name: 'other', tools: ['get_note', ''] }];
    fc.assert(
      fc.property(fc.array(tool, { maxLength: 4 }), (tools) => {
        const list: readonly unknown[] = JSON.parse(JSON.stringify(tools)) as unknown[]; // a list stays one
        for (const { pointer, message } of tryRule(rule, list, { neighbours })) {
          expect(pointer).toMatch(/^\/tools/);
          expect(message).not.toMatch(/undefined|\[object|NaN/);
        }
      }),
      { numRuns: 60 },
    );
  });
});
