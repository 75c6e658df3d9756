/** The runs over the corpus as a Markdown table, in the order of the list, and one sentence on them. */
import type { CorpusRun } from './corpus-server.ts';

const HEAD = ['Server', 'Version', 'Tools', 'Errors', 'Warnings', 'Infos', 'Score', 'ms'];

export function toCorpusTable(runs: readonly CorpusRun[]): string {
  const rows = runs.map((run) => [
    `\`${run.server.package}\``,
    run.server.version,
    ...toCells(run),
  ]);
  return [HEAD, HEAD.map(() => '---'), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n');
}

export function toCorpusSummary(runs: readonly CorpusRun[]): string {
  const checked = runs.filter((run) => run.kind === 'checked');
  const broken = runs.filter(({ kind }) => kind === 'crashed' || kind === 'hung');
  const tools = checked.reduce((sum, run) => sum + run.tools, 0);
  const errors = checked.filter(({ findings }) => findings.error > 0).length;
  return [
    `${checked.length} of ${runs.length} servers checked, ${tools} tools;`,
    `${errors} servers with errors; the check failed on ${broken.length}.`,
  ].join(' ');
}

function toCells(run: CorpusRun): readonly string[] {
  if (run.kind !== 'checked') return [run.kind.replace('-', ' '), '', '', '', '', String(run.ms)];
  const { tools, findings, score, ms } = run;
  return [tools, findings.error, findings.warning, findings.info, score, ms].map(String);
}
