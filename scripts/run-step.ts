/** Runs one program as a named step: quiet when it goes well, its whole output when it does not. */
import { spawn } from 'node:child_process';

export interface Step {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** Shows the output as it comes. */
  readonly loud?: boolean;
}

export async function runStep({ name, command, args, loud = false }: Step): Promise<boolean> {
  const started = Date.now();
  if (loud) process.stdout.write(`── ${name}\n`);
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8');
    stream.on('data', (text: string) => {
      output.push(text);
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
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  if (code !== 0 && !loud) process.stdout.write(output.join(''));
  process.stdout.write(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)\n`);
  return code === 0;
}
