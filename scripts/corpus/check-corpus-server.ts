/** Installs one server into its own folder and runs the check over it, as a user would. */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CorpusEnd, CorpusRun, CorpusServer } from './corpus-server.ts';
import { readReport } from './read-report.ts';
import { runProgram } from './run-program.ts';

const INSTALL_MS = 240_000;
const CHECK_MS = 90_000;
const PLIMSOLL = join(import.meta.dirname, '../../bin/plimsoll');

export async function checkCorpusServer(server: CorpusServer, folder: string): Promise<CorpusRun> {
  const home = join(folder, 'home');
  mkdirSync(home, { recursive: true });
  const installed = await install(server, folder);
  if (installed !== undefined) return { server, ms: 0, kind: 'not-installed', detail: installed };
  const program = findProgram(server, folder);
  if (program === undefined)
    return { server, ms: 0, kind: 'not-installed', detail: 'it has no program' };
  const { args = [], env = {} } = server;
  const passed = Object.keys(env).flatMap((name) => ['--pass-env', name]);
  const end = await runProgram({
    command: PLIMSOLL,
    args: ['check', '--format', 'json', ...passed, '--', process.execPath, program, ...args],
    cwd: home,
    // An untrusted program gets nothing of ours: not the home folder, and no variable but the path.
    env: { PATH: process.env['PATH'], HOME: home, NO_COLOR: '1', ...env },
    limitMs: CHECK_MS,
  });
  return { server, ms: end.ms, ...toEnd(end) };
}

async function install(server: CorpusServer, folder: string): Promise<string | undefined> {
  const { code, stderr } = await runProgram({
    command: 'npm',
    args: [
      'install',
      '--prefix',
      folder,
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--loglevel=error',
      `${server.package}@${server.version}`,
    ],
    cwd: folder,
    env: process.env,
    limitMs: INSTALL_MS,
  });
  return code === 0 ? undefined : lastLine(stderr, 'npm failed');
}

function findProgram(server: CorpusServer, folder: string): string | undefined {
  const own = join(folder, 'node_modules', server.package);
  const { bin } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8')) as {
    readonly bin?: string | Readonly<Record<string, string>>;
  };
  const path = typeof bin === 'object' ? Object.values(bin)[0] : bin;
  return path === undefined ? undefined : join(own, path);
}

function toEnd(end: Awaited<ReturnType<typeof runProgram>>): CorpusEnd {
  if (end.hung) return { kind: 'hung', detail: `timeout after ${CHECK_MS / 1000} s` };
  const report = readReport(end.stdout);
  const isEnd = end.code === 0 || end.code === 1 || end.code === 2;
  if (!isEnd || report === undefined)
    return { kind: 'crashed', detail: lastLine(end.stderr, `exited with ${String(end.code)}`) };
  return report;
}

function lastLine(text: string, otherwise: string): string {
  return text.trim().split('\n').at(-1)?.slice(0, 200) || otherwise;
}
