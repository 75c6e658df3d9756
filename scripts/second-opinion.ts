/**
 * Measures whether a second opinion would help the rules of inference: a linear model over words and
 * parameters, trained on labelled lists and tried on servers that it was not trained on. It may raise,
 * and lower what the rules hold at low confidence. Nothing of it is part of the package.
 */
import { parseArgs } from 'node:util';
import type { InferredEffect } from '../src/effect/infer/infer-effect.ts';
import { inferEffect } from '../src/effect/infer/infer-effect.ts';
import { readParameters } from '../src/effect/infer/read-parameters.ts';
import { toSingular, toWords } from '../src/effect/infer/to-words.ts';
import { LABELS_HELP, foldOf, readLabelled } from './labelled-tools.ts';
import { readInput } from './read-input.ts';
import { showHelp } from './show-help.ts';

interface Row {
  readonly server: string;
  readonly features: readonly string[];
  readonly kind: Kind;
  readonly inferred: InferredEffect;
}

type Kind = 'read' | 'write' | 'danger';
type Weights = Map<string, Float64Array>;

const KINDS: readonly Kind[] = ['read', 'write', 'danger'];
const FOLDS = 5;
const ROUNDS = 25;
const RATE = 0.3;
const DECAY = 0.002;
/** What the rules hold below this may be lowered. */
const LOW = 0.7;

const USAGE = `usage: npm run second-opinion -- <folder>... [--try <folder>]
${LABELS_HELP}With --try the model is trained on the others and tried on that one;
without it, each fifth of the servers is tried by a model that was trained on the rest.
`;
showHelp(USAGE);
const { values, positionals: folders } = readInput(() =>
  parseArgs({ allowPositionals: true, options: { try: { type: 'string' } } }),
);
if (folders.length === 0) {
  process.stderr.write(USAGE);
  process.exit(2);
}
const known = readInput(() => readRows(folders));
const tried = values.try;
const rows = tried === undefined ? known : readInput(() => readRows([tried]));

/** The chance of danger, by a model that never saw the server. */
const chances = new Map<Row, number>();
if (values.try !== undefined) tryOn(rows, known);
else
  for (let fold = 0; fold < FOLDS; fold += 1) {
    const isLeftOut = ({ server }: Row): boolean => foldOf(server, FOLDS) === fold;
    tryOn(
      rows.filter(isLeftOut),
      rows.filter((row) => !isLeftOut(row)),
    );
  }

print(
  `${rows.length} tools of ${new Set(rows.map(({ server }) => server)).size} servers, left out by server`,
);
report('rules alone', ({ inferred }) => inferred.asks);
for (const threshold of [0.1, 0.3, 0.5, 0.9])
  report(`model alone, asks from ${threshold}`, (row) => chanceOf(row) >= threshold);
for (const lowers of [0.05, 0.1, 0.2])
  report(`rules, lowered below ${lowers}`, (row) => row.inferred.asks && !isLowered(row, lowers));
for (const raises of [0.9, 0.98])
  report(`rules, raised from ${raises}`, (row) => row.inferred.asks || chanceOf(row) >= raises);

function readRows(some: readonly string[]): readonly Row[] {
  return readLabelled(some, 'all').flatMap(({ label, tool, list, isSure }): Row[] =>
    isSure
      ? [
          {
            server: label.list,
            features: featuresOf(tool),
            kind: label.tier === 'read' ? 'read' : isHarmless(label.tier) ? 'write' : 'danger',
            inferred: inferEffect(tool, {}, list),
          },
        ]
      : [],
  );
}

function tryOn(some: readonly Row[], trained: readonly Row[]): void {
  const weights = train(trained);
  for (const row of some)
    chances.set(row, predict(weights, row.features)[KINDS.indexOf('danger')] ?? 0);
}

function isLowered(row: Row, below: number): boolean {
  return row.inferred.confidence < LOW && chanceOf(row) < below;
}

function chanceOf(row: Row): number {
  return chances.get(row) ?? 0;
}

function isHarmless(tier: string): boolean {
  return tier === 'write' || tier === 'compute';
}

function featuresOf(tool: object): readonly string[] {
  const {
    name,
    description = '',
    inputSchema,
  } = tool as Readonly<{
    name: string;
    description?: string;
    inputSchema?: unknown;
  }>;
  const words = toWords(name).map(toSingular);
  const [sentence = ''] = description
    .trim()
    .slice(0, 400)
    .split(/[.\n](?:\s|$)/);
  const said = toWords(sentence).map(toSingular);
  const { all } = readParameters(inputSchema);
  return [
    ...new Set([
      'any',
      ...words.map((word) => `name ${word}`),
      `first ${words[0] ?? ''}`,
      `last ${words.at(-1) ?? ''}`,
      ...words.slice(1).map((word, at) => `pair ${words[at] ?? ''} ${word}`),
      `opening ${said[0] ?? ''}`,
      ...said.slice(0, 25).map((word) => `said ${word}`),
      ...all.slice(0, 40).map(({ key }) => `takes ${key}`),
    ]),
  ];
}

/** Logistic regression by gradient descent with a step that shrinks by feature; the same every time. */
function train(some: readonly Row[]): Weights {
  const weights: Weights = new Map();
  const sums: Weights = new Map();
  const order = some.toSorted((a, b) => hash(a.features) - hash(b.features));
  for (let round = 0; round < ROUNDS; round += 1)
    for (const { features, kind } of order) {
      const guess = predict(weights, features);
      for (const feature of features) {
        const own = of(weights, feature);
        const sum = of(sums, feature);
        for (const [at, one] of KINDS.entries()) {
          const error = (guess[at] ?? 0) - (one === kind ? 1 : 0) + DECAY * (own[at] ?? 0);
          sum[at] = (sum[at] ?? 0) + error * error;
          own[at] = (own[at] ?? 0) - (RATE * error) / Math.sqrt(1 + (sum[at] ?? 0));
        }
      }
    }
  return weights;
}

function of(all: Weights, feature: string): Float64Array {
  let own = all.get(feature);
  if (own === undefined) all.set(feature, (own = new Float64Array(KINDS.length)));
  return own;
}

function predict(weights: Weights, features: readonly string[]): readonly number[] {
  const scores = KINDS.map((_, at) =>
    features.reduce((sum, feature) => sum + (weights.get(feature)?.[at] ?? 0), 0),
  );
  const most = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const whole = powers.reduce((a, b) => a + b);
  return powers.map((power) => power / whole);
}

/** An order that has nothing to do with servers. */
function hash(features: readonly string[]): number {
  let value = 7;
  for (const letter of features.join(' '))
    value = (value * 31 + (letter.codePointAt(0) ?? 0)) % 1_000_003;
  return value;
}

function report(which: string, asks: (row: Row) => boolean): void {
  const shares = (['danger', 'read', 'write'] as const).map((kind) => {
    const those = rows.filter((row) => row.kind === kind);
    const asked = those.filter(asks).length;
    return `${kind} ${asked}/${those.length} (${((100 * asked) / those.length).toFixed(1)}%)`;
  });
  print(`${which.padEnd(30)}${shares.join('   ')}`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
