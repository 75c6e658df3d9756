/** The flags of `npm run bench`. */
import { parseArgs } from 'node:util';

const SUITES = ['stdio', 'sizes', 'http', 'list', 'write', 'spend', 'start'] as const;
export type SuiteName = (typeof SUITES)[number];
export type Era = '2026' | '2025';

export interface Options {
  readonly rounds: number;
  /** How long one connection is loaded in one round, per load level. */
  readonly seconds: number;
  readonly only: readonly SuiteName[];
  readonly era: Era;
  readonly json: boolean;
  readonly writeDocs: boolean;
  /** Where the gates write CPU profiles; the figures are then not valid. */
  readonly profile?: string;
  /** Another build of the command to measure. */
  readonly gate?: string;
}

const HELP = `npm run bench -- [flags]
  --rounds <n>     rounds of each comparison (13)
  --seconds <s>    load of each connection in each round, each way (0.4)
  --only <suite>   ${SUITES.join(', ')}; repeatable
  --era <year>     the client speaks the 2026-07-28 revision (2026) or those before (2025)
  --json           all measurements, as JSON
  --write-docs     write the figures into docs/performance.md and README.md, if the machine was quiet
  --profile <dir>  write CPU profiles of the gates and list the functions that take the most time
  --gate <script>  measure another build of the plimsoll command
`;

export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: 'string', default: '13' },
      seconds: { type: 'string', default: '0.4' },
      only: { type: 'string', multiple: true, default: [...SUITES] },
      era: { type: 'string', default: '2026' },
      json: { type: 'boolean', default: false },
      'write-docs': { type: 'boolean', default: false },
      gate: { type: 'string' },
      profile: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(HELP);
    process.exit(0);
  }
  const [rounds, seconds] = [Number(values.rounds), Number(values.seconds)];
  if (!(rounds >= 1) || !(seconds > 0))
    throw new Error('--rounds and --seconds are numbers above 0');
  if (values.era !== '2026' && values.era !== '2025') throw new Error('--era is 2026 or 2025');
  if (values['write-docs'] && values.only.length < SUITES.length) {
    throw new Error('--write-docs needs all suites; omit --only');
  }
  return {
    rounds,
    seconds,
    only: values.only.map(toSuite),
    era: values.era,
    json: values.json,
    writeDocs: values['write-docs'],
    ...(values.profile !== undefined && { profile: values.profile }),
    ...(values.gate !== undefined && { gate: values.gate }),
  };
}

function toSuite(text: string): SuiteName {
  const suite = SUITES.find((name) => name === text);
  if (suite === undefined) throw new Error(`--only is one of ${SUITES.join(', ')}`);
  return suite;
}
