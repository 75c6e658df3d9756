/** Runs the conformance suite's own program against a server and reads the reports it leaves. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

interface Check {
  readonly id: string;
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO';
  readonly description: string;
  readonly errorMessage?: string;
}

export interface Scenario {
  readonly name: string;
  readonly checks: readonly Check[];
}

export interface SuiteRun {
  readonly scenarios: readonly Scenario[];
  readonly exitCode: number;
  /** What the program printed, for when it broke down before it could report. */
  readonly output: string;
}

/** The package exports nothing; this is the file behind its `bin`. */
const PROGRAM = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/conformance/dist/index.js'),
);
const TIMEOUT_MS = 180_000;

export async function runSuite(url: string, revision: string): Promise<SuiteRun> {
  const folder = await mkdtemp(join(tmpdir(), 'plimsoll-conformance-'));
  try {
    const args = ['server', '--url', url, '--requirements', revision, '-o', folder];
    const { exitCode, output } = await runNode([PROGRAM, ...args]);
    return { scenarios: await readReports(folder), exitCode, output };
  } finally {
    await rm(folder, { recursive: true });
  }
}

function runNode(args: readonly string[]): Promise<{ exitCode: number; output: string }> {
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      args,
      { timeout: TIMEOUT_MS, maxBuffer: 64 * 1024 * 1024 },
      (_error, stdout, stderr) =>
        resolve({ exitCode: child.exitCode ?? -1, output: stdout + stderr }),
    );
  });
}

/** Every scenario has a folder of its own, named after it and the time. */
const FOLDER = /^server-(?<name>.+)-\d{4}-\d\d-\d\dT[\d-]+Z$/;

async function readReports(folder: string): Promise<readonly Scenario[]> {
  const names = await readdir(folder);
  return Promise.all(
    names.map(async (folderName) => {
      const name = FOLDER.exec(folderName)?.groups?.['name'];
      if (name === undefined) throw new Error(`The suite named a report ${folderName}.`);
      const report = await readFile(join(folder, folderName, 'checks.json'), 'utf8');
      return { name, checks: JSON.parse(report) as readonly Check[] }; // the suite's own format
    }),
  );
}
