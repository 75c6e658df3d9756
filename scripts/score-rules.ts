/**
 * Scores the truth rules on a folder of labelled tools/list answers: as published, and with each hint
 * planted on every tool, so that the few published hints do not dominate the figure.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { rule as destructiveOverstated } from '../src/check/rules/destructive-overstated/rule.ts';
import { rule as destructiveUntrue } from '../src/check/rules/destructive-untrue/rule.ts';
import { rule as filenameOnRead } from '../src/check/rules/filename-on-read/rule.ts';
import { rule as idempotentUnderstated } from '../src/check/rules/idempotent-understated/rule.ts';
import { rule as idempotentUntrue } from '../src/check/rules/idempotent-untrue/rule.ts';
import { rule as openWorldUntrue } from '../src/check/rules/open-world-untrue/rule.ts';
import { rule as readOnlyUnderstated } from '../src/check/rules/read-only-understated/rule.ts';
import { rule as readOnlyUntrue } from '../src/check/rules/read-only-untrue/rule.ts';
import { rule as shareUnmarked } from '../src/check/rules/share-unmarked/rule.ts';
import { rule as spendUnmarked } from '../src/check/rules/spend-unmarked/rule.ts';
import type { Rule } from '../src/check/rule.ts';
import type { ServerSubject } from '../src/check/subject.ts';
import { toSubject } from '../src/check/subject.ts';

interface Label {
  readonly list: string;
  readonly tool: string;
  readonly tier: string;
  readonly readOnly: boolean;
  readonly destructive: boolean;
  readonly nonAdditive: boolean;
  readonly idempotent: boolean;
  readonly openWorld: boolean;
  readonly altTiers?: readonly string[];
  readonly uncertain?: readonly string[];
}

type Hints = Readonly<Record<string, boolean>>;

interface Question {
  readonly title: string;
  readonly rules: readonly Rule[];
  readonly hints: Hints;
  /**
   * Whether these hints, or their absence, are wrong for this tool; `undefined` when the label does not
   * say.
   */
  readonly isFault: (label: Label) => boolean | undefined;
}

const QUESTIONS: readonly Question[] = [
  {
    title: 'readOnlyHint true',
    rules: [readOnlyUntrue, filenameOnRead],
    hints: { readOnlyHint: true },
    isFault: ({ readOnly }) => !readOnly,
  },
  {
    title: 'readOnlyHint false',
    rules: [readOnlyUnderstated],
    hints: { readOnlyHint: false },
    isFault: ({ readOnly }) => readOnly,
  },
  {
    title: 'destructiveHint false',
    rules: [destructiveUntrue],
    hints: { destructiveHint: false },
    // The labels say nothing about money here: the hint is about state.
    isFault: ({ destructive, tier }) =>
      !destructive && tier === 'external_spend' ? undefined : destructive,
  },
  {
    title: 'destructiveHint true',
    rules: [destructiveOverstated],
    hints: { destructiveHint: true },
    isFault: ({ destructive, nonAdditive }) => !destructive && !nonAdditive,
  },
  {
    title: 'idempotentHint true',
    rules: [idempotentUntrue],
    hints: { idempotentHint: true },
    isFault: (label) => (isUncertain(label, 'idempotent') ? undefined : !label.idempotent),
  },
  {
    title: 'idempotentHint false',
    rules: [idempotentUnderstated],
    hints: { idempotentHint: false },
    isFault: (label) =>
      isUncertain(label, 'idempotent') || label.readOnly ? undefined : label.idempotent,
  },
  {
    title: 'openWorldHint false',
    rules: [openWorldUntrue],
    hints: { openWorldHint: false },
    isFault: ({ openWorld }) => openWorld,
  },
  {
    title: 'spend without a mark',
    rules: [spendUnmarked],
    hints: {},
    isFault: (label) => isTier(label, 'external_spend'),
  },
  {
    title: 'share without a mark',
    rules: [shareUnmarked],
    hints: {},
    isFault: (label) => isTier(label, 'share_export'),
  },
];

/** A report for people. */
export function scoreRules(folder: string): string {
  const labels = readJson(folder, 'labels.json') as readonly Label[];
  const lists = [...new Set(labels.map(({ list }) => list))].map((list) => {
    const { tools } = readJson(folder, join('lists', `${list}.json`)) as { tools: object[] };
    return { list, tools, labels: labels.filter((label) => label.list === list) };
  });
  const missed: string[] = [];
  const lines = QUESTIONS.map((question) => {
    const planted = toTally();
    const published = toTally();
    for (const { list, tools, labels: own } of lists) {
      const plant = tools.map((tool) => ({ ...tool, annotations: question.hints, _meta: {} }));
      weigh(question, toSubject(list, plant), own, planted, missed);
      weigh(question, toSubject(list, tools), own, published, [], true);
    }
    return `${question.title.padEnd(24)}planted: ${describe(planted)}   published: ${describe(published)}`;
  });
  return ['rules of truth', ...lines, '', 'planted, and wrong', ...missed, ''].join('\n');
}

interface Tally {
  found: number;
  wrong: number;
  faults: number;
}

function toTally(): Tally {
  return { found: 0, wrong: 0, faults: 0 };
}

function weigh(
  { title, rules, hints, isFault }: Question,
  server: ServerSubject,
  labels: readonly Label[],
  tally: Tally,
  missed: string[],
  onlySaid = false,
): void {
  for (const label of labels) {
    const tool = server.tools.find(({ name }) => name === label.tool);
    const fault = isFault(label);
    if (tool === undefined || fault === undefined) continue;
    const said = Object.entries(hints).every(([name, value]) => {
      const claim = Object.entries(tool.stamp.hints).find(([hint]) => hint === name)?.[1];
      return claim?.state === 'claimed' && claim.value === value;
    });
    const bare = Object.values(tool.stamp.hints).every(({ state }) => state === 'absent');
    if (onlySaid && (!said || (Object.keys(hints).length === 0 && !bare))) continue;
    const found = rules.some((rule) => (rule.checkTool?.(tool, server) ?? []).length > 0);
    if (fault) tally.faults += 1;
    if (fault && found) tally.found += 1;
    if (!fault && found) tally.wrong += 1;
    if (fault !== found)
      missed.push(`${found ? '+' : '-'} ${title}: ${label.list} ${label.tool} (${label.tier})`);
  }
}

function describe({ found, wrong, faults }: Tally): string {
  const recall = `${found}/${faults} found`;
  const precision = `${wrong} wrongly (precision ${percent(found, found + wrong)}, recall ${percent(found, faults)})`;
  return `${recall}, ${precision}`;
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)}%`;
}

function isUncertain({ uncertain }: Label, what: string): boolean {
  return uncertain?.includes(what) === true;
}

function isTier(label: Label, tier: string): boolean | undefined {
  if (label.tier !== tier && label.altTiers?.includes(tier) === true) return undefined;
  return label.tier === tier;
}

function readJson(folder: string, file: string): unknown {
  return JSON.parse(readFileSync(join(folder, file), 'utf8'));
}
