/** Ignores at work: which findings they cover on a day, and which of them are past theirs. Pure. */
import { toGlob } from '../gate/decide/glob.ts';
import type { Glob } from '../gate/decide/glob.ts';
import type { Finding } from './finding.ts';
import type { Draft } from './rule.ts';
import type { Ignore, Settings } from './settings.ts';
import type { ServerSubject } from './subject.ts';

export interface Ignoring {
  covers(finding: Finding): boolean;
  expiredFor(server: ServerSubject): readonly Draft[];
}

interface Compiled {
  readonly ignore: Ignore;
  readonly server: Glob;
  readonly tool: Glob | undefined;
}

export function toIgnoring({ ignores, now }: Pick<Settings, 'ignores' | 'now'>): Ignoring {
  const today = now.toISOString().slice(0, 10);
  const compiled = ignores.map((ignore): Compiled => ({
    ignore,
    server: toGlob(ignore.server ?? '*'),
    tool: ignore.tool === undefined ? undefined : toGlob(ignore.tool),
  }));
  // Days are written alike, so that text order is day order.
  const live = compiled.filter(({ ignore }) => ignore.until >= today);
  const expired = compiled.filter(({ ignore }) => ignore.until < today);
  return {
    covers: (finding) => live.some((one) => covers(one, finding)),
    expiredFor: (server) => expired.filter((one) => concerns(one, server)).map(toDraft),
  };
}

function covers({ ignore, server, tool }: Compiled, finding: Finding): boolean {
  if (ignore.rule !== finding.rule && ignore.rule !== finding.code) return false;
  if (!server(finding.server)) return false;
  return tool === undefined || (finding.tool !== undefined && tool(finding.tool));
}

function concerns({ server, tool }: Compiled, subject: ServerSubject): boolean {
  if (!server(subject.name)) return false;
  return tool === undefined || subject.tools.some(({ name }) => tool(name));
}

function toDraft({ ignore: { rule, tool, until } }: Compiled): Draft {
  const what = tool === undefined ? rule : `${rule} on ${tool}`;
  const message = `The ignore of ${what} held until ${until}.`;
  return { code: 'ignore-expired', pointer: '', message };
}
