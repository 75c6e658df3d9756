/** `npm run mutation -- budgets`: changes the code in one place at a time, and shows which changes no test notices. */
import { spawnSync } from 'node:child_process';
import { setPriority } from 'node:os';
import { Argument, Command } from 'commander';
import { MUTATION_PARTS, PART_VARIABLE } from './mutation/parts.ts';

const NAMES = Object.keys(MUTATION_PARTS);
const EXAMPLES = `
Takes a minute for the key records and up to an hour for the approvals, at low priority. The report of the
part that ran last is in .cache/mutation/report.json.

Examples:
  npm run mutation -- key-records
  npm run mutation -- approvals --mutate src/gate/approvals/seal.ts
  npm run mutation -- effect --ignore-static`;

const command = new Command('mutation')
  .description('changes the code in one place at a time, and shows which changes no test notices')
  .addArgument(new Argument('[part]', 'default: one after another').choices(NAMES))
  .option('--mutate <files>', 'only these files of the part, by comma')
  .option(
    '--ignore-static',
    'leaves out what is evaluated once, such as tables: it needs every test',
  )
  .addHelpText('after', EXAMPLES)
  .parse();
const [only] = command.args;
const { mutate, ignoreStatic = false } = command.opts<{
  readonly mutate?: string;
  readonly ignoreStatic?: boolean;
}>();

setPriority(19);
for (const name of only === undefined ? NAMES : [only]) {
  const args = [
    'run',
    ...(mutate === undefined ? [] : ['--mutate', mutate]),
    ...(ignoreStatic ? ['--ignoreStatic'] : []),
  ];
  const env = { ...process.env, [PART_VARIABLE]: name };
  const { status } = spawnSync('stryker', args, { env, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
