/** Rules, budgets and caches of a policy that no known server or tool fits: mostly a misspelled name. Pure. */
import { toGlob } from './compile-policy.ts';
import type { Policy } from './policy.ts';
import type { Match } from './verdict.ts';

export interface KnownServer {
  readonly name: string;
  /** Empty when nobody has listed them yet; then nothing is said of tools. */
  readonly tools: readonly string[];
}

export interface IdlePart {
  /** `rules[2] "small-orders"`. */
  readonly part: string;
  /** What fits nothing, as a sentence. */
  readonly detail: string;
}

export function findIdleRules(
  policy: Policy,
  servers: readonly KnownServer[],
): readonly IdlePart[] {
  const parts: readonly (readonly [string, Match | undefined])[] = [
    ...policy.rules.map(({ name, match }, at) => [`rules[${at}] "${name}"`, match] as const),
    ...policy.budgets.map(({ name, match }, at) => [`budgets[${at}] "${name}"`, match] as const),
    ...policy.caches.map(({ server, tool }, at) => {
      return [`caches[${at}]`, { ...(server !== undefined && { server }), tool }] as const;
    }),
    ...Object.keys(policy.servers).map((name) => [`servers.${name}`, { server: [name] }] as const),
  ];
  return parts.flatMap(([part, match]) => {
    const detail = match && findMisfit(match, servers);
    return detail === undefined ? [] : [{ part, detail }];
  });
}

function findMisfit({ server, tool }: Match, known: readonly KnownServer[]): string | undefined {
  const servers = known.filter(({ name }) => server === undefined || fits(server, name));
  if (servers.length === 0) return `no server is named ${describe(server ?? [])}`;
  if (tool === undefined || servers.some(({ tools }) => tools.length === 0)) return undefined;
  if (servers.some(({ tools }) => tools.some((name) => fits(tool, name)))) return undefined;
  const where = server === undefined ? 'no server' : `no server named ${describe(server)}`;
  return `${where} has a tool named ${describe(tool)}`;
}

function fits(patterns: readonly string[], name: string): boolean {
  return patterns.some((pattern) => toGlob(pattern)(name));
}

function describe(patterns: readonly string[]): string {
  return patterns.map((pattern) => JSON.stringify(pattern)).join(' or ');
}
