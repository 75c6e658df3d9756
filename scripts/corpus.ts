/**
 * Runs `plimsoll check` over public npm servers, installed for it into a temporary folder. Exits with 1
 * when the check crashes or hangs on any, or when too few of them start. `--write-docs` updates the
 * table in docs.
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fillMarkers } from '../src/cli/docs.ts';
import { checkCorpusServer } from './corpus/check-corpus-server.ts';
import type { CorpusRun } from './corpus/corpus-server.ts';
import { SERVERS } from './corpus/servers.ts';
import { toCorpusSummary, toCorpusTable } from './corpus/to-corpus-table.ts';

const PAGE = 'docs/corpus.md';
const FEWEST = 20;
const AT_ONCE = 2;

const [first, ...more] = process.argv.slice(2);
if (more.length > 0 || (first !== undefined && first !== '--write-docs')) {
  process.stderr.write('usage: npm run corpus [-- --write-docs]\n');
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-corpus-'));
const runs: CorpusRun[] = [];
try {
  const waiting = [...SERVERS.entries()];
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  async function work(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const [index, server] = next;
      const own = join(folder, String(index));
      mkdirSync(own);
      const run = await checkCorpusServer(server, own);
      runs[index] = run;
      process.stderr.write(
        `${server.package}: ${'detail' in run ? `${run.kind}: ${run.detail}` : run.kind}\n`,
      );
      rmSync(own, { recursive: true, force: true });
    }
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}

const table = toCorpusTable(runs);
const summary = toCorpusSummary(runs);
process.stdout.write(`${table}\n\n${summary}\n`);
if (first === '--write-docs') {
  const day = new Date().toISOString().slice(0, 10);
  const page = fillMarkers(readFileSync(PAGE, 'utf8'), {
    corpus: `${day}: ${summary}\n\n${table}`,
  });
  if (page === undefined) throw new Error(`${PAGE} has lost its markers`);
  writeFileSync(PAGE, page);
}
const checked = runs.filter(({ kind }) => kind === 'checked').length;
const broken = runs.some(({ kind }) => kind === 'crashed' || kind === 'hung');
process.exitCode = broken || checked < FEWEST ? 1 : 0;
