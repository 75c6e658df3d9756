/** What directories of servers require of a submission. */
import type { ToolSubject } from '../subject.ts';
import { memberOf } from '../tool-schema.ts';
import type { Justification, JustifiedHint } from './justify.ts';

/** A directory's stated requirement, and what a tool is missing. Data only. */
export type Directory = 'anthropic' | 'openai';

export interface Requirement {
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
export function findCatchAll(tool: unknown): string | undefined {
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
