/**
 * The order in which people mean to work on the tools of a server: groups of names, the most important
 * first. Data of the reader; a check does not depend on it, only the order of its report.
 */
import { toGlob } from '../gate/policy/compile-policy.ts';

export interface Priority {
  readonly name: string;
  /** Names of tools, where `*` matches anything. A tool belongs to the first group that names it. */
  readonly tools: readonly string[];
}

/** The group of each tool, and its place; tools that no group names come last. */
export function toRanking(
  priorities: readonly Priority[],
): (tool: string) => { readonly rank: number; readonly name?: string } {
  const groups = priorities.map(({ name, tools }) => ({ name, globs: tools.map(toGlob) }));
  return (tool) => {
    const rank = groups.findIndex(({ globs }) => globs.some((glob) => glob(tool)));
    const name = groups[rank]?.name;
    return name === undefined ? { rank: groups.length } : { rank, name };
  };
}
