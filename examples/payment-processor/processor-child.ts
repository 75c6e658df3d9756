/** Starts the sandbox processor as a separate process, and stops it. For development and tests. */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface ProcessorChild extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

export interface ProcessorChildOptions {
  readonly database?: string;
  readonly port?: number;
  readonly slowMs?: number;
}

export async function openProcessorChild(
  options: ProcessorChildOptions = {},
): Promise<ProcessorChild> {
  const program = fileURLToPath(new URL('./processor-main.ts', import.meta.url));
  const flags = ['--disable-warning=ExperimentalWarning'];
  const child = spawn(process.execPath, [...flags, program, options.database ?? ':memory:'], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ...(options.port !== undefined && { PROCESSOR_PORT: String(options.port) }),
      ...(options.slowMs !== undefined && { PROCESSOR_SLOW_MS: String(options.slowMs) }),
    },
  });
  const url = await firstLine(child);
  // It must not keep its parent alive; it exits when its standard input closes.
  child.unref();
  for (const stream of [child.stdin, child.stdout]) {
    if (stream instanceof Socket) stream.unref();
  }
  return {
    url,
    pid: child.pid ?? 0,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.ref();
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      await ended;
    },
  };
}

async function firstLine(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    if (child.stdout === null) return reject(new Error('the processor has no standard output'));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the processor exited with ${String(code)}`)));
    createInterface({ input: child.stdout }).once('line', resolve);
  });
}
