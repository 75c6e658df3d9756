/** The flags of `npm run bench` and `npm run bench:peers`. */
import { statSync } from 'node:fs';
import { parseArgs } from 'node:util';

const SUITES = ['stdio', 'sizes', 'http', 'list', 'write', 'spend', 'start'] as const;
export type SuiteName = (typeof SUITES)[number];
export type Era = '2026' | '2025';

/** How lines are loaded. */
export interface LoadOptions {
  readonly rounds: number;
  /** How long one connection is loaded in one round, per load level. */
  readonly seconds: number;
  readonly era: Era;
  /** Where the gates write CPU profiles; the figures are then not valid. */
  readonly profile?: string;
}

interface SharedOptions extends Pick<LoadOptions, 'rounds' | 'seconds'> {
  readonly json: boolean;
  readonly writeDocs: boolean;
  /** Another build of the command to measure. */
  readonly gate?: string;
}

interface Options extends SharedOptions, LoadOptions {
  readonly only: readonly SuiteName[];
}

export const USAGE: string = `usage: npm run bench -- [flags]
Measures what the gate costs, as ratios to the same client and server without it. Exits with 1 when a goal is
missed or --write-docs refuses to write, and with 2 when a flag is wrong.
  --rounds <n>     rounds of each comparison, a whole number (13); start always makes seven starts
  --seconds <s>    load of each connection in each round, each way (0.4)
  --only <suite>   ${SUITES.join(', ')}; repeatable (all)
  --era <year>     the client speaks the 2026-07-28 revision (2026) or those before (2025); 2026 by default
  --json           all measurements, as JSON
  --write-docs     write the figures into docs/performance.md and README.md, if the machine was quiet
  --profile <dir>  write CPU profiles of the gates and list the functions that take the most time
  --gate <script>  measure another build of the plimsoll command
`;

const SHARED = {
  rounds: { type: 'string', default: '13' },
  seconds: { type: 'string', default: '0.4' },
  json: { type: 'boolean', default: false },
  'write-docs': { type: 'boolean', default: false },
  gate: { type: 'string' },
} as const;

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      ...SHARED,
      only: { type: 'string', multiple: true, default: [...SUITES] },
      era: { type: 'string', default: '2026' },
      profile: { type: 'string' },
    },
  });
  if (values.era !== '2026' && values.era !== '2025') throw new Error('--era is 2026 or 2025');
  if (values['write-docs'] && new Set(values.only).size < SUITES.length) {
    throw new Error('--write-docs needs all suites; omit --only');
  }
  if (values['write-docs'] && (values.era !== '2026' || values.profile !== undefined)) {
    throw new Error('--write-docs needs the 2026 era and no profiles; omit --era and --profile');
  }
  return {
    ...toShared(values),
    only: values.only.map(toSuite),
    era: values.era,
    ...(values.profile !== undefined && { profile: values.profile }),
  };
}

/** Peers are always compared in all routes, in one era, and without profiles. */
export function readPeerOptions(args: readonly string[]): SharedOptions {
  return toShared(parseArgs({ args: [...args], options: SHARED }).values);
}

interface SharedValues {
  readonly rounds: string;
  readonly seconds: string;
  readonly json: boolean;
  readonly 'write-docs': boolean;
  readonly gate?: string | undefined;
}

function toShared(values: SharedValues): SharedOptions {
  const [rounds, seconds, { json, gate }] = [Number(values.rounds), Number(values.seconds), values];
  if (!Number.isSafeInteger(rounds) || rounds < 1) {
    throw new Error('--rounds is a whole number from 1');
  }
  if (!Number.isFinite(seconds) || seconds <= 0) throw new Error('--seconds is a number above 0');
  if (gate !== undefined && statSync(gate, { throwIfNoEntry: false })?.isFile() !== true) {
    throw new Error(`--gate: no such file: ${gate}`);
  }
  const writeDocs = values['write-docs'];
  return { rounds, seconds, json, writeDocs, ...(gate !== undefined && { gate }) };
}

function toSuite(text: string): SuiteName {
  const suite = SUITES.find((name) => name === text);
  if (suite === undefined) throw new Error(`--only is one of ${SUITES.join(', ')}`);
  return suite;
}
