/**
 * Scores the inferred effects of foreign tools on a folder of labelled tools/list answers
 * (`labels.json` and `lists/*.json`): how many dangerous tools ask, how many reads and writes do, and
 * each wrong one; then how well the check rules find untrue hints.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inferEffect } from '../src/effect/infer/infer-effect.ts';
import { scoreRules } from './score-rules.ts';

interface Label {
  readonly list: string;
  readonly tool: string;
  readonly tier: string;
  readonly altTiers?: readonly string[];
  readonly uncertain?: readonly string[];
}

interface ListedTool {
  readonly name: string;
}

const DANGEROUS = new Set(['destructive', 'external_spend', 'share_export']);

const folder = process.argv[2];
if (folder === undefined) {
  process.stderr.write('usage: npm run score -- <folder with labels.json and lists/>\n');
  process.exit(2);
}
const labels = readJson('labels.json') as readonly Label[];
const lists = new Map<string, readonly ListedTool[]>();
const started = performance.now();
const rows = labels.map((label) => {
  const tool = toolsOf(label.list).find(({ name }) => name === label.tool);
  return {
    ...label,
    inferred: inferEffect(tool),
    certain: label.uncertain?.includes('tier') !== true,
  };
});
const took = (performance.now() - started) / rows.length;

for (const [which, some] of [
  ['certain labels', rows.filter(({ certain }) => certain)],
  ['all labels', rows],
] as const) {
  const dangerous = some.filter(({ tier }) => DANGEROUS.has(tier));
  const reads = some.filter(({ tier }) => tier === 'read');
  const writes = some.filter(({ tier }) => tier === 'write');
  const asked = dangerous.filter(({ inferred }) => inferred.asks);
  const doubted = writes.filter(({ inferred }) => inferred.asks);
  const disturbed = reads.filter(({ inferred }) => inferred.asks);
  process.stdout.write(`${which}: dangerous that ask ${share(asked.length, dangerous.length)}, `);
  process.stdout.write(`reads that ask ${share(disturbed.length, reads.length)}, `);
  process.stdout.write(`writes that ask ${share(doubted.length, writes.length)}\n`);
}

process.stdout.write(`\n${took.toFixed(3)} ms a tool\n\nlabel → read as\n`);
for (const tier of new Set(rows.map((row) => row.tier))) {
  const counts = new Map<string, number>();
  for (const { inferred } of rows.filter((row) => row.tier === tier))
    counts.set(inferred.effect.tier, (counts.get(inferred.effect.tier) ?? 0) + 1);
  const cells = [...counts].map(([read, count]) => `${read} ${count}`).join(', ');
  process.stdout.write(`${tier.padEnd(16)}${cells}\n`);
}

process.stdout.write('\nmisses\n');
for (const { tier, list, tool, inferred, certain } of rows) {
  const wrong = DANGEROUS.has(tier) ? !inferred.asks : tier === 'read' && inferred.asks;
  if (!wrong) continue;
  const why = inferred.reasons.map(({ text }) => text).join('; ');
  process.stdout.write(
    `${certain ? ' ' : '?'} ${tier} read as ${inferred.effect.tier}: ${list} ${tool}: ${why}\n`,
  );
}

process.stdout.write(`\n${scoreRules(folder)}`);

function share(part: number, whole: number): string {
  return `${part}/${whole} (${((100 * part) / Math.max(1, whole)).toFixed(1)}%)`;
}

function toolsOf(list: string): readonly ListedTool[] {
  let tools = lists.get(list);
  if (tools === undefined) {
    ({ tools } = readJson(join('lists', `${list}.json`)) as { tools: readonly ListedTool[] });
    lists.set(list, tools);
  }
  return tools;
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(join(folder ?? '', file), 'utf8'));
}
