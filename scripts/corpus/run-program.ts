/** Runs one program to its end or its time limit, in its own process group so that nothing outlives it. */
import { spawn } from 'node:child_process';

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly limitMs: number;
}

export interface ProgramEnd {
  /** Undefined when a signal or the limit ended it. */
  readonly code: number | undefined;
  readonly hung: boolean;
  readonly stdout: string;
  readonly stderr: string;
  readonly ms: number;
}

export async function runProgram({
  command,
  args,
  cwd,
  env,
  limitMs,
}: Program): Promise<ProgramEnd> {
  const started = performance.now();
  const child = spawn(command, args, {
    cwd,
    env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const stdout: string[] = [];
  const stderr: string[] = [];
  child.stdout.setEncoding('utf8').on('data', (text: string) => stdout.push(text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => stderr.push(text));
  let hung = false;
  const limit = setTimeout(() => {
    hung = true;
    endGroup(child.pid);
  }, limitMs);
  const code = await new Promise<number | undefined>((resolve) => {
    child.once('error', (error) => {
      stderr.push(error.message);
      resolve(undefined);
    });
    child.once('close', (status) => resolve(status ?? undefined));
  });
  clearTimeout(limit);
  endGroup(child.pid);
  const ms = Math.round(performance.now() - started);
  return { code, hung, stdout: stdout.join(''), stderr: stderr.join(''), ms };
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nobody of it is left.
  }
}
