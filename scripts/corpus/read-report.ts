/**
 * Reads what `plimsoll check --format json` printed about one server; `undefined` when it is not a
 * report.
 */
import type { Severity } from '../../src/check/rule.ts';
import type { CorpusEnd } from './corpus-server.ts';

interface Report {
  readonly counts: Readonly<Record<Severity, number>>;
  readonly servers: readonly {
    readonly tools: number;
    readonly score: { readonly points: number };
  }[];
  readonly failures: readonly { readonly detail: string }[];
}

export function readReport(text: string): CorpusEnd | undefined {
  let report: Report;
  try {
    report = JSON.parse(text) as Report; // our own program's output; its shape has its own tests
  } catch {
    return undefined;
  }
  const [server] = report.servers;
  const [failure] = report.failures;
  if (server !== undefined) {
    const { tools, score } = server;
    return { kind: 'checked', tools, findings: report.counts, score: score.points };
  }
  return failure === undefined ? undefined : { kind: 'not-started', detail: failure.detail };
}
