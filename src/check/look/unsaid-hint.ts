/** What a tool that leaves a hint unsaid is taken for: by MCP, and by the hosts that read the hint. */
import type { HintName } from '../../effect/hints.ts';
import type { Draft } from '../rule.ts';
import type { ToolSubject } from '../subject.ts';
import { certainHints } from './certain-hints.ts';
import { memberOf } from './member-of.ts';
import { toJsonObject } from './to-json-object.ts';
import { pointerInto } from './pointer-into.ts';

const TAKEN_FOR: Readonly<Record<HintName, string>> = {
  readOnlyHint:
    'MCP assumes false: ChatGPT and VS Code confirm each call, Codex asks unless two other hints promise safety, and Cursor does not count it among the reads',
  destructiveHint:
    'MCP assumes true, but Claude Desktop and Claude Code assume false; Codex asks, ChatGPT and VS Code ask as for any write',
  idempotentHint: 'MCP assumes false: a host that retries will not send the call again',
  openWorldHint:
    'MCP assumes true: Codex asks even where destructiveHint is false, while VS Code takes the results as they are, without showing them first',
};

export function unsaidHint(tool: ToolSubject, hint: HintName, code: string): readonly Draft[] {
  const annotations = toJsonObject(memberOf(tool.raw, 'annotations'));
  if (annotations === undefined || annotations[hint] !== undefined) return [];
  const pointer = pointerInto(tool.pointer, 'annotations', hint);
  const value = certainHints(tool)[hint];
  return [
    {
      code,
      pointer,
      message: `${hint} is not said. ${TAKEN_FOR[hint]}.`,
      ...(value !== undefined && { fix: { kind: 'set', pointer, value } }),
    },
  ];
}
