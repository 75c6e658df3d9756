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
  return { ...result, _meta: { ...result._meta, [CALL_META_KEYS.replayed.key]: true } };
}

function toPlainResult(
  outcome: Recorded,
  operation: Operation,
): CallToolResult | InputRequiredResult {
  switch (outcome.kind) {
    case 'failure':
      return toProblemResult(outcome.problem, operation);
    case 'input-required':
      return outcome.result;
    case 'success': {
      const { value, content } = outcome;
      const isTyped = isObjectSchema(operation.outputSchema);
      const structured = isTyped ? asObject(value) : undefined;
      return {
        content: [...(content ?? toContent(value))],
        // What is known to be done, and whose answer is lost, would else be refused by the client.
        ...(isTyped && structured === undefined && { isError: true }),
        ...(structured !== undefined && { structuredContent: structured }),
      };
    }
  }
}

function toProblemResult(problem: Problem, { outputSchema }: Operation): CallToolResult {
  const text = `${problem.title}. ${problem.detail} ${problem.remedy}`;
  return {
    isError: true,
    content: [{ type: 'text', text }],
    // Some clients hold even a refusal against the tool's output schema, and then show nothing at all.
    ...(!isObjectSchema(outputSchema) && { structuredContent: { ...problem } }),
    _meta: { [CALL_META_KEYS.problem.key]: { ...problem } },
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
