/** The stated requirements of the directories that can be checked on a list of tools, in their order. */
import type { HintName } from '../../effect/hints.ts';
import { HINT_NAMES } from '../../effect/hints.ts';
import type { ToolSubject } from '../subject.ts';
import { memberOf } from '../tool-schema.ts';
import type { Justification, JustifiedHint } from './justify.ts';

/** A directory's stated requirement, and what a tool is missing. Data only. */
export type Directory = 'anthropic' | 'openai';

/** What directories of servers require of a submission. */
interface Requirement {
  /** Stable. */
  readonly id: string;
  readonly text: string;
  readonly source: string;
  /** What is missing, in one sentence; nothing when it is met. */
  readonly check: (tool: ToolSubject) => string | undefined;
}

/** One tool's entry in a submission. Data only. */
export interface ToolEntry {
  readonly tool: ToolSubject;
  readonly unmet: readonly UnmetRequirement[];
  /** Hints that contradict what the tool says about itself. */
  readonly doubts: readonly string[];
  readonly justifications: Readonly<Record<JustifiedHint, Justification>>;
}

interface UnmetRequirement {
  readonly id: string;
  readonly detail: string;
  readonly source: string;
}

/** Finds a tool that accepts any HTTP method: reads and writes behind one name, so no hint can be right. */
const METHOD_NAMES: readonly string[] = ['method', 'http_method', 'httpMethod', 'request_method'];

const TARGET_NAMES: readonly string[] = ['path', 'url', 'uri', 'endpoint', 'route'];

const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

const UNSAFE: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH', 'DELETE']);

/** One sentence, or `undefined` when it is not one. */
function findCatchAll(tool: unknown): string | undefined {
  const parameterOf = (name: string): unknown => memberOf(tool, 'inputSchema', 'properties', name);
  const method = METHOD_NAMES.find((name) => parameterOf(name) !== undefined);
  if (method === undefined) return undefined;
  const choices = memberOf(parameterOf(method), 'enum');
  if (Array.isArray(choices)) {
    const words = choices.flatMap((choice) =>
      typeof choice === 'string' ? [choice.toUpperCase()] : [],
    );
    const mixes = words.some((word) => SAFE.has(word)) && words.some((word) => UNSAFE.has(word));
    return mixes ? `its "${method}" takes both safe and unsafe HTTP methods` : undefined;
  }
  // A free method counts only next to a target: "method" alone may be about payment or sorting.
  const isFree =
    memberOf(parameterOf(method), 'type') === 'string' &&
    memberOf(parameterOf(method), 'const') === undefined;
  const hasTarget = TARGET_NAMES.some((name) => parameterOf(name) !== undefined);
  return isFree && hasTarget ? `its "${method}" takes any HTTP method` : undefined;
}

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
