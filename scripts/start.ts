/**
 * `npm start`: the gate over HTTP in front of the reference servers. With `--check` it proves what the
 * gate is for and ends: a read runs, a spend waits, and runs once when a person has said yes.
 */
import { checkGate } from './start/check-gate.ts';
import { main } from '../src/cli/main.ts';

const CONFIG = 'examples/plimsoll.yaml';
const flags = process.argv.slice(2);

if (flags.includes('--check')) {
  const lines = await checkGate(CONFIG);
  process.stdout.write(`${lines.join('\n')}\nok\n`);
} else {
  process.stdout.write(
    [
      'The gate stands in front of examples/catalog and examples/imagery. Reads run; what costs, deletes',
      'or discloses waits for you. Answer in another terminal: bin/plimsoll approve',
      '',
      '',
    ].join('\n'),
  );
  await main(['gate', '--config', CONFIG, '--http', '127.0.0.1:4200', ...flags]);
}
