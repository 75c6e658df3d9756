/**
 * What a directory requires of a server's tools: which stated requirements are unmet, tool by tool,
 * where the hints may be untrue, and the entries that a submission needs. The directory itself decides
 * whether to list a server.
 */
import { changeOf } from '../../effect/effect.ts';
import { readDeclaredEffect } from '../../effect/infer/read-declared-effect.ts';
import { showText } from '../../gate/approvals/show-text.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import { saidHints } from '../hosts/decide-host.ts';
import type { ServerSubject, ToolSubject } from '../subject.ts';
import { inferFromText } from '../tool-inference.ts';
import { memberOf } from '../tool-schema.ts';
import { DIRECTORIES } from './directories.ts';
import type { JustifiedHint } from './justify.ts';
import { justify } from './justify.ts';
import type { Directory, ToolEntry } from './directories.ts';

export interface Submission {
  /** Every stated requirement is met. Doubts do not count. */
  readonly ok: boolean;
  readonly text: string;
  readonly json: JsonValue;
}

const NAMES: Readonly<Record<Directory, string>> = { anthropic: 'Anthropic', openai: 'OpenAI' };

/** An inferred effect with less confidence is no reason to doubt what a server says. */
const SURE = 0.6;

export function toSubmission(subject: ServerSubject, directory: Directory): Submission {
  const entries = subject.tools.map((tool) => toEntry(tool, directory));
  // A server without tools has nothing to list.
  const ok = entries.length > 0 && entries.every(({ unmet }) => unmet.length === 0);
  return {
    ok,
    text: toText(entries, directory, ok),
    json: toSubmissionJson(entries, directory),
  };
}

function toEntry(tool: ToolSubject, directory: Directory): ToolEntry {
  const unmet = DIRECTORIES[directory].flatMap(({ id, source, check }) => {
    const detail = check(tool);
    return detail === undefined ? [] : [{ id, detail, source }];
  });
  const effect = readDeclaredEffect(tool.raw) ?? tool.inferred.effect;
  return { tool, unmet, doubts: findDoubts(tool), justifications: justify(effect) };
}

function findDoubts(tool: ToolSubject): readonly string[] {
  const { effect, confidence, asks } = inferFromText(tool);
  if (confidence < SURE) return [];
  const { readOnlyHint, destructiveHint } = justify(effect);
  const says = (hint: JustifiedHint): unknown => memberOf(tool.raw, 'annotations', hint);
  // A creation may be an answer that is not stored: a chart, an audit, a draft.
  const changes = asks || (!readOnlyHint.value && changeOf(effect) !== 'adds');
  return [
    ...(says('readOnlyHint') === true && changes
      ? [`it says read-only, but: ${readOnlyHint.because}`]
      : []),
    ...(says('destructiveHint') === false && asks && destructiveHint.value
      ? [`it says not destructive, but: ${destructiveHint.because}`]
      : []),
  ];
}

function toText(entries: readonly ToolEntry[], directory: Directory, ok: boolean): string {
  const failing = entries.filter(({ unmet }) => unmet.length > 0).length;
  const tools = entries.length === 1 ? '1 tool' : `${entries.length} tools`;
  const sum =
    entries.length === 0 ? 'there are no tools' : `${failing} of ${tools} do not meet them`;
  const head = ok
    ? `${NAMES[directory]}: all stated requirements are met by ${tools}.`
    : `${NAMES[directory]}: not ready for submission; ${sum}.`;
  const lines = entries.flatMap(({ tool, unmet, doubts }) => [
    `${unmet.length > 0 ? '✗' : '✓'} ${showText(tool.name) || tool.pointer}`,
    ...unmet.map(({ id, detail }) => `    ${id}: ${detail}`),
    ...doubts.map((doubt) => `    doubtful: ${doubt}`),
  ]);
  return [head, '', ...lines, ''].join('\n');
}

/** The entries of a submission as data: OpenAI's in the shape of its own file, the rest in a plain one. */
const OPENAI_SCHEMA =
  'https://developers.openai.com/plugins/schemas/chatgpt-app-submission.v1.json';

function toSubmissionJson(entries: readonly ToolEntry[], directory: Directory): JsonValue {
  return directory === 'openai' ? toOpenai(entries) : toAnthropic(entries);
}

/**
 * The hints are as the server sends them, since a submission that says more than the server is refused.
 * Only the part that follows from the tools; a person adds the app's name and its test cases.
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

/** If the server says otherwise, only its author can give the reason. */
function toSentence({ tool, justifications }: ToolEntry, hint: JustifiedHint): string {
  const { value, because } = justifications[hint];
  const said = memberOf(tool.raw, 'annotations', hint);
  if (typeof said !== 'boolean' || said === value) return because;
  return `To be resolved: ${hint} is ${String(said)}, but the inferred effect differs. ${because}`;
}
