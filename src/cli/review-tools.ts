/**
 * Walks a person through the tools that inference is not sure of, one by one with the reasons, and pins
 * what the person says. Each answer is written at once.
 */
import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import type { InferredEffect } from '../effect/infer/infer-effect.ts';
import type { Parameter } from '../effect/infer/read-parameters.ts';
import { readParameters } from '../effect/infer/read-parameters.ts';
import type { Tier } from '../effect/tier.ts';
import { findTier, TIER_NAMES, TIERS } from '../effect/tier.ts';
import { showText } from '../gate/approvals/show-text.ts';
import { countOf } from '../lib/count-of.ts';
import { toPinEntry, withPins, writeLockFile } from '../gate/tools/lock.ts';
import type { LeftOut, Sorted } from '../gate/tools/to-review.ts';
import { sortForReview } from '../gate/tools/to-review.ts';
import type { Terminal } from './answer-at-terminal.ts';
import { CliError } from './cli-error.ts';
import { loadLock } from './lock-access.ts';

export interface ReviewedTool {
  readonly name: string;
  readonly definition: unknown;
  readonly inferred: InferredEffect;
  /** Under the default policy, in live mode. */
  readonly asks: boolean;
  /** Does not ask by what it does, but until somebody has allowed it: its server says nothing about it. */
  readonly firstUse: boolean;
  /** Why it asks, where its tier alone would let it run; the end of a sentence. */
  readonly because?: string | undefined;
}

/** Where pins go. */
interface Target {
  readonly file: string;
  readonly server: string;
  readonly by?: string | undefined;
}

const MOST_REASONS = 4;

export async function reviewTools(
  tools: readonly ReviewedTool[],
  { file, server, by = userInfo().username }: Target,
  { input, output }: Terminal,
): Promise<void> {
  if (input.isTTY !== true)
    throw new CliError(
      'there is no terminal to review the tools at; state tiers with plimsoll pin --tier',
    );
  const pinned = loadLock(file).servers.get(server);
  const sorted = sortForReview(tools, pinned);
  const open = sorted.flatMap(({ tool, leftOut }) => (leftOut === undefined ? [tool] : []));
  output.write(`${server}: ${countOf(tools.length, 'tool')}, ${open.length} to review\n`);
  output.write(toLeftOutText(sorted));
  const questions = createInterface({ input, output, terminal: false });
  // An interface reads ahead: what is typed early must not be lost.
  const lines = questions[Symbol.asyncIterator]();
  let stated = 0;
  try {
    for (const [at, tool] of open.entries()) {
      output.write(`\n${at + 1} of ${open.length}  ${toText(tool)}`);
      const answer = await ask(lines, output);
      if (answer === 'quit') break;
      if (answer === 'leave') continue;
      const entry = toPinEntry(tool.definition, { by, at: new Date(), tier: answer });
      if (entry === undefined) {
        output.write(`part of ${showText(tool.name)} is not JSON, so it cannot be pinned\n`);
        continue;
      }
      await writeLockFile(file, withPins(loadLock(file), server, new Map([[tool.name, entry]])));
      stated += 1;
      output.write(
        `  ${showText(tool.name)} is pinned as ${answer}; ${toConsequence(tool, answer)}\n`,
      );
    }
  } finally {
    questions.close();
  }
  output.write(
    stated === 0 ? '\nnothing was pinned\n' : `\npinned ${countOf(stated, 'tool')} in ${file}\n`,
  );
}

const WHY_LEFT_OUT: Readonly<Record<LeftOut, string>> = {
  'no-name': 'it has no name that can be read, so that it cannot be pinned',
  'listed-twice': 'two tools have this name, so that it cannot be pinned',
  'by-arguments': 'what it does depends on its arguments, so that no tier fits all of its calls',
  stated: 'a person has stated its tier',
  riskier: 'it became riskier than its pin; plimsoll pin shows the change',
  certain:
    'what it does is plain; to state another tier: plimsoll pin --accept NAME --tier NAME=TIER',
};
const FIRST_USE = 'only its first use asks, which a lasting yes answers';

/** Of those that ask, so that nobody takes the others for all that there are. */
function toLeftOutText(sorted: readonly Sorted<ReviewedTool>[]): string {
  const left = sorted.flatMap(({ tool: { name, asks, firstUse }, leftOut }) => {
    if (leftOut === undefined || !(asks || firstUse)) return [];
    const isFirstUse = leftOut === 'certain' && !asks;
    return [{ name: showText(name), why: isFirstUse ? FIRST_USE : WHY_LEFT_OUT[leftOut] }];
  });
  if (left.length === 0) return '';
  const asking = left.length === 1 ? '1 more asks and is' : `${left.length} more ask and are`;
  const lines = [...Map.groupBy(left, ({ why }) => why)].map(
    ([why, those]) => `  ${those.map(({ name }) => name).join(', ')}: ${why}\n`,
  );
  return `${asking} not offered here:\n${lines.join('')}`;
}

/** What the answer means for the calls that follow. */
function toConsequence({ because }: ReviewedTool, tier: Tier): string {
  const { asks, readsOnly } = TIERS[tier];
  if (asks) return 'each call asks';
  return because === undefined || readsOnly
    ? 'it runs without a question'
    : `it still asks, since ${because}`;
}

function toText({ name, definition, inferred, asks, firstUse, because }: ReviewedTool): string {
  const { effect, confidence, reasons } = inferred;
  const said = partOf(definition, 'description');
  const { all, isCut = false } = readParameters(partOf(definition, 'inputSchema'));
  const parameters = [...all.map(toParameter), ...(isCut ? ['more that cannot be read'] : [])];
  const runs = firstUse ? 'asks on first use' : 'runs without a question';
  const what = `${effect.tier}, ${asks ? 'asks' : runs}, confidence ${confidence}`;
  const rest = reasons.length - MOST_REASONS;
  return [
    showText(name),
    ...(typeof said === 'string' ? said.split('\n').map(toSaidLine) : []),
    ...(parameters.length > 0 ? [`  takes ${showText(parameters.join(', '))}`] : []),
    `  taken for ${what}`,
    ...reasons.slice(0, MOST_REASONS).map(({ text }) => `    ${showText(text)}`),
    ...(rest > 0
      ? [`    and ${countOf(rest, 'reason')} more, which plimsoll tools --json shows`]
      : []),
    ...(because === undefined ? [] : [`    asks since ${because}`]),
    '',
  ].join('\n');
}

/** `action (get, delete)`, `recipients in options` */
function toParameter({ name, top, within, values, hasMore }: Parameter): string {
  const place = top ? name : `${name} in ${within}`;
  if (values.length === 0) return place;
  return `${place} (${[...values, ...(hasMore ? ['and more, which plimsoll tools --save shows'] : [])].join(', ')})`;
}

/** Whole: what stands at the end may be what matters. The bar tells the words of the server from ours. */
function toSaidLine(line: string): string {
  return `  | ${showText(line.replace(/\r$/, ''))}`;
}

type Answer = Tier | 'leave' | 'quit';

async function ask(lines: AsyncIterator<string>, output: NodeJS.WritableStream): Promise<Answer> {
  for (;;) {
    output.write(`  ${TIER_NAMES.map((tier, at) => `${at + 1} ${tier}`).join('  ')}\n`);
    output.write('  What does it do? A number, Enter to leave it, q to stop, ? for the meanings: ');
    const line = await lines.next();
    if (line.done === true) return 'quit';
    const word = line.value.trim().toLowerCase();
    if (word === '') return 'leave';
    if (word === 'q') return 'quit';
    const tier = findTier(word) ?? TIER_NAMES.find((_, at) => String(at + 1) === word);
    if (tier !== undefined) return tier;
    output.write(
      TIER_NAMES.map((one) => `  ${one} (${TIERS[one].word}): ${TIERS[one].meaning}\n`).join(''),
    );
  }
}

function partOf(value: unknown, key: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[key]; // a JSON object has string keys only
}
