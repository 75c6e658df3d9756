/** Runs one program as a named step: quiet when it succeeds, its whole output when it fails. */
import { spawn } from 'node:child_process';

export interface Step {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Streams the output. */
  readonly loud?: boolean;
  /** A step without output for this long has hung: it is killed, reported, and retried once. */
  readonly silentMs?: number;
}

export async function runStep(step: Step): Promise<boolean> {
  const end = await runOnce(step);
  if (end !== 'hung') return end === 'ok';
  process.stdout.write(`HUNG ${step.name}; retrying from the start\n`);
  return (await runOnce(step)) === 'ok';
}

async function runOnce({
  name,
  command,
  args,
  loud = false,
  silentMs,
}: Step): Promise<'ok' | 'failed' | 'hung'> {
  const started = Date.now();
  if (loud) process.stdout.write(`── ${name}\n`);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  let hung = false;
  const silence =
    silentMs === undefined
      ? undefined
      : setTimeout(() => {
          hung = true;
          child.kill('SIGKILL');
          child.stdout.destroy();
          child.stderr.destroy();
        }, silentMs);
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      output.push(text);
      silence?.refresh();
      if (loud) process.stdout.write(text);
    });
  }
  const code = await new Promise<number>((resolve) => {
    child.once('error', (error) => {
      output.push(`${error.message}\n`);
      resolve(1);
    });
    child.once('close', (status) => resolve(status ?? 1));
  });
  clearTimeout(silence);
  if (hung) return 'hung';
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  if (code !== 0 && !loud) process.stdout.write(output.join(''));
  process.stdout.write(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)\n`);
  return code === 0 ? 'ok' : 'failed';
}
