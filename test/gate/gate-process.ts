/** `plimsoll` as a process of its own: the gate over HTTP, and commands that end. */
import { execFile, spawn } from 'node:child_process';
import { resolve } from 'node:path';

export const PLIMSOLL: string = resolve('bin/plimsoll');

export interface HttpGate extends AsyncDisposable {
  readonly url: URL;
}

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const URL_LINE = /^plimsoll gate: (http:\S+)$/m;

/** The arguments are those of `plimsoll gate`, without `--http`. */
export async function openHttpGate(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<HttpGate> {
  const child = spawn(PLIMSOLL, ['gate', '--http', '127.0.0.1:0', ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, ...env },
  });
  const gone = new Promise<void>((done) => {
    child.once('exit', () => done());
  });
  let said = '';
  const url = await new Promise<string>((found, failed) => {
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const [, address] = URL_LINE.exec(said) ?? [];
      if (address !== undefined) found(address);
    });
    void gone.then(() => failed(new Error(`the gate ended: ${said}`)));
  });
  return {
    url: new URL(url),
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      await gone;
    },
  };
}

export function run(command: string, args: readonly string[]): Promise<Ran> {
  return new Promise((done) => {
    const child = execFile(command, args, { maxBuffer: 1e8 }, (_, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}

/** Says yes to the question that waits in a ledger, as somebody at a terminal would. */
export async function approve(ledger: string, id: string): Promise<void> {
  const { stdout } = await run(PLIMSOLL, ['approve', '--list', '--json', '--ledger', ledger]);
  const questions = JSON.parse(stdout) as readonly { id: string; display: string }[];
  const display = questions.find((each) => each.id === id)?.display ?? '';
  const yes = [id, '--yes', '--display', display, '--as', 'mia', '--ledger', ledger];
  const { code, stderr } = await run(PLIMSOLL, ['approve', ...yes]);
  if (code !== 0) throw new Error(stderr);
}

/** Those of calls, the oldest first. */
export async function receiptsIn(ledger: string): Promise<readonly Record<string, unknown>[]> {
  const { stdout } = await run(PLIMSOLL, [
    'audit',
    'list',
    '--polls',
    '--ledger',
    ledger,
    '--json',
  ]);
  const receipts = JSON.parse(stdout) as readonly Record<string, unknown>[];
  return receipts.filter(({ request }) => request !== 'answer').toReversed();
}
