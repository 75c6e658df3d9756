/**
 * Scores the truth rules on labelled tools/list answers: as published, and with each hint planted on
 * every tool, so that the few published hints do not dominate the figure.
 */
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
import type { Label, LabelledTool } from './labelled-tools.ts';

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
    isFault: ({ readOnly }) => readOnly !== true,
  },
  {
    title: 'readOnlyHint false',
    rules: [readOnlyUnderstated],
    hints: { readOnlyHint: false },
    isFault: ({ readOnly }) => readOnly === true,
  },
  {
    title: 'destructiveHint false',
    rules: [destructiveUntrue],
    hints: { destructiveHint: false },
    // The labels say nothing about money here: the hint is about state.
    isFault: ({ destructive, tier }) =>
      destructive !== true && tier === 'external_spend' ? undefined : destructive,
  },
  {
    title: 'destructiveHint true',
    rules: [destructiveOverstated],
    hints: { destructiveHint: true },
    isFault: ({ destructive, nonAdditive }) =>
      nonAdditive === undefined ? undefined : destructive !== true && !nonAdditive,
  },
  {
    title: 'idempotentHint true',
    rules: [idempotentUntrue],
    hints: { idempotentHint: true },
    isFault: (label) =>
      isUncertain(label, 'idempotent') || label.idempotent === undefined
        ? undefined
        : !label.idempotent,
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

/** A report for people; with `misses` each wrong one is named. */
export function scoreRules(labelled: readonly LabelledTool[], misses: boolean): string {
  const lists = [...Map.groupBy(labelled, ({ list }) => list)];
  const missed: string[] = [];
  const lines = QUESTIONS.flatMap((question) => {
    const planted = toTally();
    const published = toTally();
    for (const [tools, rows] of lists) {
      const labels = rows.flatMap(({ label, isSure }) => (isSure ? [label] : []));
      const plant = tools.map((tool) => ({ ...tool, annotations: question.hints, _meta: {} }));
      weigh(question, toSubject('server', plant), labels, planted, missed);
      weigh(question, toSubject('server', tools), labels, published, [], true);
    }
    return [
      `${question.title.padEnd(24)}planted:   ${describe(planted)}`,
      `${''.padEnd(24)}published: ${describe(published)}`,
    ];
  });
  return [...lines, ...(misses ? ['', 'planted, and wrong', ...missed] : []), ''].join('\n');
}

interface Tally {
  found: number;
  wrong: number;
  /** Of those, at level error. */
  foundErrors: number;
  wrongErrors: number;
  faults: number;
}

function toTally(): Tally {
  return { found: 0, wrong: 0, foundErrors: 0, wrongErrors: 0, faults: 0 };
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
    const fault = isFault(toFacts(label));
    if (tool === undefined || fault === undefined) continue;
    const said = Object.entries(hints).every(([name, value]) => {
      const claim = Object.entries(tool.stamp.hints).find(([hint]) => hint === name)?.[1];
      return claim?.state === 'claimed' && claim.value === value;
    });
    const bare = Object.values(tool.stamp.hints).every(({ state }) => state === 'absent');
    if (onlySaid && (!said || (Object.keys(hints).length === 0 && !bare))) continue;
    const levels = rules.flatMap((rule) =>
      (rule.checkTool?.(tool, server) ?? []).map(({ severity }) => severity ?? rule.severity),
    );
    const found = levels.length > 0;
    const isError = levels.includes('error');
    if (fault) tally.faults += 1;
    if (fault && found) tally.found += 1;
    if (!fault && found) tally.wrong += 1;
    if (fault && isError) tally.foundErrors += 1;
    if (!fault && isError) tally.wrongErrors += 1;
    if (fault !== found)
      missed.push(
        `${found ? '+' : '-'}${isError ? '!' : ' '} ${title}: ${label.list} ${label.tool} (${label.tier})`,
      );
  }
}

/** Where only the tier was labelled, it says whether the tool reads and whether it destroys. */
function toFacts(label: Label): Label {
  const { tier } = label;
  return { readOnly: tier === 'read', destructive: tier === 'destructive', ...label };
}

function describe({ found, wrong, foundErrors, wrongErrors, faults }: Tally): string {
  const errors = foundErrors + wrongErrors;
  return [
    `${found}/${faults} found (${percent(found, faults)}), ${percent(found, found + wrong)} of ${found + wrong} findings right`,
    `errors: ${percent(foundErrors, errors)} of ${errors} right`,
  ].join('; ');
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
