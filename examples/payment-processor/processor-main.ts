/**
 * The sandbox processor as a program: `node processor-main.ts [database]`. Prints its address as the
 * first line, and exits on SIGTERM or SIGINT, and when its parent exits.
 */
import { openProcessor } from './processor.ts';

const [database = ':memory:'] = process.argv.slice(2);
const slowMs = Number(process.env['PROCESSOR_SLOW_MS'] ?? '1500');
const port = Number(process.env['PROCESSOR_PORT'] ?? '0');
const processor = await openProcessor({ database, slowMs, port });
process.stdout.write(`${processor.url}\n`);

let isStopping = false;

async function stop(): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  await processor[Symbol.asyncDispose]();
  process.exit(0);
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop());
// A child whose parent was killed sees the pipe close; on a terminal nothing closes.
process.stdin.once('end', () => void stop()).resume();
