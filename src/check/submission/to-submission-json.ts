/** The entries of a submission as data: OpenAI's in the shape of its own file, the rest in a plain one. */
import type { JsonValue } from '../../lib/json-value.ts';
import { saidHints } from '../hosts/decide-host.ts';
import { memberOf } from '../tool-schema.ts';
import type { JustifiedHint } from './justify.ts';
import type { Directory, ToolEntry } from './requirement.ts';

const OPENAI_SCHEMA =
  'https://developers.openai.com/plugins/schemas/chatgpt-app-submission.v1.json';

export function toSubmissionJson(entries: readonly ToolEntry[], directory: Directory): JsonValue {
  return directory === 'openai' ? toOpenai(entries) : toAnthropic(entries);
}

/**
 * The hints stand as the server sends them, since a submission that says more than the server is refused.
 * Only the part that follows from the tools; what the app is called and its test cases are a person's.
 */
function toOpenai(entries: readonly ToolEntry[]): JsonValue {
  const tools = entries.map((entry): [string, JsonValue] => [
    entry.tool.name,
    {
      annotations: { ...saidHints(entry.tool.raw) },
      justifications: {
        read_only_justification: toSentence(entry, 'readOnlyHint'),
        open_world_justification: toSentence(entry, 'openWorldHint'),
        destructive_justification: toSentence(entry, 'destructiveHint'),
      },
    },
  ]);
  return { $schema: OPENAI_SCHEMA, schema_version: 1, tools: Object.fromEntries(tools) };
}

function toAnthropic(entries: readonly ToolEntry[]): JsonValue {
  return {
    tools: entries.map((entry) => toAnthropicTool(entry)),
  };
}

function toAnthropicTool(entry: ToolEntry): JsonValue {
  const { tool, unmet, doubts } = entry;
  return {
    name: tool.name,
    title: tool.stamp.title ?? null,
    group: memberOf(tool.raw, 'annotations', 'readOnlyHint') === true ? 'read-only' : 'write',
    annotations: { ...saidHints(tool.raw) },
    justification: `${toSentence(entry, 'readOnlyHint')} ${toSentence(entry, 'destructiveHint')}`,
    unmet: unmet.map(({ id, detail, source }) => ({ id, detail, source })),
    doubts: [...doubts],
  };
}

/** Where the server says otherwise, nobody can write its reason for it. */
function toSentence({ tool, justifications }: ToolEntry, hint: JustifiedHint): string {
  const { value, because } = justifications[hint];
  const said = memberOf(tool.raw, 'annotations', hint);
  if (typeof said !== 'boolean' || said === value) return because;
  return `To be settled: ${hint} is ${String(said)}, yet it reads otherwise. ${because}`;
}
