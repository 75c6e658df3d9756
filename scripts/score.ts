/**
 * Scores the inferred effects of foreign tools on folders of labelled tools/list answers: how many
 * dangerous tools ask, how many reads and writes do, whether tier and confidence are right, and each
 * wrong one under what it was read by; then how well the check rules find untrue hints.
 */
import { parseArgs } from 'node:util';
import type { InferredEffect } from '../src/effect/infer/infer-effect.ts';
import { inferEffect } from '../src/effect/infer/infer-effect.ts';
import { inferLeavingWordsOut } from './leave-words-out.ts';
import type { LabelledTool, Part } from './labelled-tools.ts';
import { LABELS_HELP, readLabelled } from './labelled-tools.ts';
import { readInput } from './read-input.ts';
import { scoreRules } from './score-rules.ts';
import { showHelp } from './show-help.ts';

interface Scored extends LabelledTool {
  readonly inferred: InferredEffect;
}

const DANGEROUS = new Set(['destructive', 'external_spend', 'share_export']);
const PARTS: readonly Part[] = ['rest', 'aside', 'all'];
const USAGE = `usage: npm run score -- <folder>... [--servers rest|aside|all] [--misses] [--rules] [--leave-words-out N]
${LABELS_HELP}A third of the servers is kept aside: look at it once, after the rules are written.
Without --misses nothing names a tool. With --leave-words-out, each server is scored without
the words of the tables that no more than N servers use, this one included.
`;

showHelp(USAGE);
const { values, positionals } = readInput(() =>
  parseArgs({
    allowPositionals: true,
    options: {
      servers: { type: 'string', default: 'rest' },
      misses: { type: 'boolean', default: false },
      rules: { type: 'boolean', default: false },
      'leave-words-out': { type: 'string', default: '0' },
    },
  }),
);
const part = PARTS.find((one) => one === values.servers);
if (positionals.length === 0 || part === undefined) {
  process.stderr.write(USAGE);
  process.exit(2);
}

const labelled = readInput(() => readLabelled(positionals, part));
const started = process.cpuUsage();
const few = Number(values['leave-words-out']);
const effects = few > 0 ? inferLeavingWordsOut(labelled, few) : labelled.map(inferRow);
const scored = labelled.flatMap((row, at): Scored[] => {
  const one = effects[at];
  return one === undefined ? [] : [{ ...row, inferred: one }];
});
const { user, system } = process.cpuUsage(started);
const sure = scored.filter(({ isSure }) => isSure);
const servers = new Set(scored.map(({ label }) => label.list)).size;
print(`${scored.length} tools of ${servers} servers (${part}), ${sure.length} with a sure label`);
print(`${((user + system) / 1000 / scored.length).toFixed(3)} ms CPU a tool\n`);
for (const [which, some] of [
  ['sure labels', sure],
  ['all labels', scored],
] as const)
  printScore(which, some);
printCalibration(sure);
printPatterns(sure);
if (values.misses) printMisses(sure);
if (values.rules)
  print(`\nhints that are untrue, sure labels\n${scoreRules(labelled, values.misses)}`);

function inferRow({ tool, list }: LabelledTool): InferredEffect {
  return inferEffect(tool, {}, list);
}

function printScore(which: string, some: readonly Scored[]): void {
  const dangers = some.filter(isDanger);
  const asked = dangers.filter(({ inferred }) => inferred.asks);
  const told = asked.filter(isRightTier);
  const known = some.filter(({ inferred }) => inferred.confidence >= 0.5);
  print(`${which}
  dangerous tools that ask   ${share(asked.length, dangers.length)}
  reads that ask             ${shareAsking(some, isRead)}
  ordinary writes that ask   ${shareAsking(some, isWrite)}
  tier right, of dangerous tools that ask   ${share(told.length, asked.length)}
  tier right, of all                        ${share(some.filter(isRightTier).length, some.length)}
  tier right, of confidence 0.5 or more     ${share(known.filter(isRightTier).length, known.length)}\n`);
}

/** How often a tool of some confidence is right. */
function printCalibration(some: readonly Scored[]): void {
  print('confidence   tier right');
  for (let from = 0; from < 1; from += 0.1) {
    const within = some.filter(
      ({ inferred: { confidence } }) =>
        Math.floor(confidence * 10 + 1e-9) === Math.round(from * 10) ||
        (confidence === 1 && from > 0.85),
    );
    if (within.length === 0) continue;
    print(
      `${from.toFixed(1)} to ${(from + 0.1).toFixed(1)}   ${share(within.filter(isRightTier).length, within.length)}`,
    );
  }
}

/** Wrong ones by what decided: a pattern is worked on, not a tool. */
function printPatterns(some: readonly Scored[]): void {
  const counts = new Map<string, number>();
  for (const row of some) {
    const fault = faultOf(row);
    if (fault === undefined) continue;
    const [reason] = row.inferred.reasons;
    const pattern = `${fault.padEnd(24)}${reason?.source ?? ''}: ${patternOf(reason?.text ?? '')}`;
    counts.set(pattern, (counts.get(pattern) ?? 0) + 1);
  }
  print('\nmisses by pattern');
  for (const [pattern, count] of [...counts].toSorted(([, a], [, b]) => b - a))
    print(`${String(count).padStart(4)}  ${pattern}`);
}

/** What is quoted of the tool apart from its first words differs from tool to tool. */
function patternOf(text: string): string {
  return text.replace(/ with "[^"]*"/, ' with …').slice(0, 70);
}

function printMisses(some: readonly Scored[]): void {
  print('\nmisses');
  for (const row of some) {
    const fault = faultOf(row) ?? (isRightTier(row) ? undefined : 'wrong tier');
    if (fault === undefined) continue;
    const { label, inferred } = row;
    const why = inferred.reasons.map(({ text }) => text).join('; ');
    print(
      `${fault}: ${label.tier} read as ${inferred.effect.tier} ${inferred.confidence}: ${label.list} ${label.tool}: ${why}`,
    );
  }
}

function faultOf(row: Scored): string | undefined {
  const { asks } = row.inferred;
  if (isDanger(row)) return asks ? undefined : 'dangerous and free';
  if (!asks) return undefined;
  return isRead(row) ? 'read that asks' : 'write that asks';
}

function isDanger({ label }: LabelledTool): boolean {
  return DANGEROUS.has(label.tier);
}

function isRead({ label }: LabelledTool): boolean {
  return label.tier === 'read';
}

function isWrite(row: LabelledTool): boolean {
  return !isDanger(row) && !isRead(row);
}

function isRightTier({ label, inferred: { effect } }: Scored): boolean {
  return [label.tier, ...(label.altTiers ?? [])]
    .map((tier) => (tier === 'write' ? 'compute' : tier))
    .includes(effect.tier);
}

function shareAsking(some: readonly Scored[], which: (row: LabelledTool) => boolean): string {
  const those = some.filter(which);
  return share(those.filter(({ inferred }) => inferred.asks).length, those.length);
}

function share(count: number, whole: number): string {
  return `${count}/${whole} (${((100 * count) / Math.max(1, whole)).toFixed(1)}%)`;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
