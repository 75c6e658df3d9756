/** The stated requirements of the directories that can be checked on a list of tools, in their order. */
import type { HintName } from '../../effect/hints.ts';
import { HINT_NAMES } from '../../effect/hints.ts';
import { memberOf } from '../tool-schema.ts';
import type { ToolSubject } from '../subject.ts';
import { findCatchAll } from './requirement.ts';
import type { Directory, Requirement } from './requirement.ts';

const CRITERIA = 'https://claude.com/docs/connectors/building/review-criteria';
const GUIDELINES = 'https://developers.openai.com/plugins/plugin-guidelines#correct-annotation';
const MCP = 'https://modelcontextprotocol.io/specification/2026-07-28/server/tools';
const LONGEST_NAME = 64;

const NAMED: Requirement = {
  id: 'named',
  text: 'Every tool has a name.',
  source: MCP,
  check: ({ name }) => (name === '' ? 'it has no name' : undefined),
};

const BOOLEAN: Requirement = {
  id: 'boolean-hints',
  text: 'Hints are true or false.',
  source: MCP,
  check: (tool) => {
    const odd = HINT_NAMES.filter((name) => {
      const said = sayingOf(tool, name);
      return said !== undefined && typeof said !== 'boolean';
    });
    return odd.length > 0 ? `${odd.join(' and ')} must be true or false` : undefined;
  },
};

const CONSISTENT: Requirement = {
  id: 'consistent-hints',
  text: 'The hints agree with one another.',
  source: MCP,
  check: (tool) =>
    sayingOf(tool, 'readOnlyHint') === true && sayingOf(tool, 'destructiveHint') === true
      ? 'it says that it is read-only and destructive at once'
      : undefined,
};

const TITLE: Requirement = {
  id: 'title',
  text: 'Every tool has a title.',
  source: CRITERIA,
  check: ({ stamp: { title = '' } }) => (title.trim() === '' ? 'it has no title' : undefined),
};

const APPLICABLE: Requirement = {
  id: 'applicable-hint',
  text: 'A read sets readOnlyHint to true; every other tool sets destructiveHint.',
  source: CRITERIA,
  check: (tool) => {
    if (sayingOf(tool, 'readOnlyHint') === true) return undefined;
    if (typeof sayingOf(tool, 'destructiveHint') === 'boolean') return undefined;
    return 'it sets neither readOnlyHint to true nor destructiveHint';
  },
};

const SHORT_NAME: Requirement = {
  id: 'short-name',
  text: `Names have at most ${LONGEST_NAME} characters.`,
  source: CRITERIA,
  check: ({ name }) =>
    name.length > LONGEST_NAME ? `its name has ${name.length} characters` : undefined,
};

const NO_CATCH_ALL: Requirement = {
  id: 'no-catch-all',
  text: 'No tool takes both safe and unsafe HTTP methods.',
  source: CRITERIA,
  check: ({ raw }) => findCatchAll(raw),
};

export const DIRECTORIES: Readonly<Record<Directory, readonly Requirement[]>> = Object.freeze({
  anthropic: [NAMED, TITLE, BOOLEAN, APPLICABLE, CONSISTENT, SHORT_NAME, NO_CATCH_ALL],
  openai: [
    NAMED,
    BOOLEAN,
    ...(['readOnlyHint', 'destructiveHint', 'openWorldHint'] as const).map(toExplicit),
    CONSISTENT,
  ],
});

function toExplicit(name: HintName): Requirement {
  return {
    id: `explicit-${name}`,
    text: `Every tool sets ${name} to true or false.`,
    source: GUIDELINES,
    check: (tool) => (sayingOf(tool, name) === undefined ? `it does not set ${name}` : undefined),
  };
}

/** Not the stamp's claim, which is cancelled where it contradicts another. */
function sayingOf({ raw }: ToolSubject, name: HintName): unknown {
  return memberOf(raw, 'annotations', name);
}
