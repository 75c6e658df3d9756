/** Runs one rule over the tools of one server, as the engine does, and gives its drafts. */
import type { Draft, Rule } from '../../src/check/rule.ts';
import type { ServerSubject } from '../../src/check/subject.ts';
import { toSubject } from '../../src/check/subject.ts';

export function tryRule(
  rule: Rule,
  tools: readonly unknown[],
  more: Partial<Pick<ServerSubject, 'neighbours' | 'pins'>> = {},
): readonly Draft[] {
  const server = toSubject('target', tools, more);
  const drafts = [
    ...server.tools.flatMap((tool) => rule.checkTool?.(tool, server) ?? []),
    ...(rule.checkServer?.(server) ?? []),
  ];
  const unknown = drafts.filter(({ code }) => !Object.hasOwn(rule.codes, code));
  if (unknown.length > 0) throw new Error(`${rule.id} gives codes it does not list`);
  return drafts;
}

/** The codes that a rule gives for these tools, in order. */
export function codesOf(
  rule: Rule,
  tools: readonly unknown[],
  more: Partial<Pick<ServerSubject, 'neighbours' | 'pins'>> = {},
): readonly string[] {
  return tryRule(rule, tools, more).map(({ code }) => code);
}

/** A tool in which nothing is wrong, with what a test wants otherwise. */
export function goodTool(
  changes: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  return {
    name: 'get_note',
    title: 'Get note',
    description: 'Gives one note with its title and text.',
    inputSchema: {
      type: 'object',
      properties: { id: { type: 'string', description: 'The number of the note.' } },
      required: ['id'],
    },
    annotations: {
      title: 'Get note',
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
    ...changes,
  };
}
