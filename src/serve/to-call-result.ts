/** How an outcome looks to an MCP client: problems are `isError` results with the problem inside. */
import type {
  CallToolResult,
  ContentBlock,
  InputRequiredResult,
} from '@modelcontextprotocol/server';
import { CALL_META_KEYS } from '../effect/meta-keys.ts';
import type { Operation } from '../effect/operation.ts';
import type { Recorded } from '../invoke/outcome.ts';
import type { Problem } from '../lib/problem.ts';
import { isObjectSchema } from './to-tool.ts';

export function toCallResult(
  outcome: Recorded,
  operation: Operation,
): CallToolResult | InputRequiredResult {
  const result = toPlainResult(outcome, operation);
  if (!outcome.replayed) return result;
  return { ...result, _meta: { [CALL_META_KEYS.replayed.key]: true } };
}

function toPlainResult(
  outcome: Recorded,
  operation: Operation,
): CallToolResult | InputRequiredResult {
  switch (outcome.kind) {
    case 'failure':
      return toProblemResult(outcome.problem);
    case 'input-required':
      return outcome.result;
    case 'success': {
      const { value, content } = outcome;
      const structured = isObjectSchema(operation.outputSchema) ? asObject(value) : undefined;
      return {
        content: [...(content ?? toContent(value))],
        ...(structured !== undefined && { structuredContent: structured }),
      };
    }
  }
}

function toProblemResult(problem: Problem): CallToolResult {
  const text = `${problem.title}. ${problem.detail} ${problem.remedy}`;
  return {
    isError: true,
    content: [{ type: 'text', text }],
    structuredContent: { ...problem },
  };
}

function toContent(value: unknown): readonly ContentBlock[] {
  if (value === undefined) return [];
  return [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }];
}

function asObject(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  return value as Record<string, unknown>; // the output stage has checked it against an object schema
}
