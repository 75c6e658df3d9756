/** Tools without any hints. Single missing hints are covered by other rules. */
import { HINT_NAMES } from '../../../effect/hints.ts';
import { certainHints } from '../../tool-hints.ts';
import { memberOf, toJsonObject, pointerInto } from '../../tool-schema.ts';
import type { Draft, Rule } from '../../rule.ts';
import type { ToolSubject } from '../../subject.ts';

const THEN =
  'Claude Desktop and Claude Code assume it is not destructive, ChatGPT and Codex ask as for any write, VS Code asks before each call, and Cursor does not count it among the reads';

export const rule: Rule = {
  id: 'annotations-missing',
  category: 'annotations',
  severity: 'warning',
  summary: 'A tool has no annotations, or annotations without any of the four hints.',
  cost: 'Every host guesses, and they guess differently: some ask before reads, and destructive calls can run without asking.',
  profiles: {
    'anthropic-directory': 'error',
    'openai-apps': 'error',
    closient: 'error',
    geopera: 'error',
    nextcloud: 'error',
    epd: 'error',
    strict: 'error',
  },
  codes: {
    'annotations-missing': 'There are no annotations.',
    'annotations-missing/no-hint': 'There are annotations, but none of the four hints.',
  },
  checkTool: (tool) => {
    if (toJsonObject(tool.raw) === undefined) return [];
    const said = memberOf(tool.raw, 'annotations');
    if (said === undefined) {
      const draft = toDraft(tool, 'annotations-missing', 'The tool has no annotations');
      const value = certainHints(tool);
      if (value.destructiveHint === undefined) return [draft];
      return [{ ...draft, fix: { kind: 'set', pointer: draft.pointer, value: { ...value } } }];
    }
    const annotations = toJsonObject(said);
    if (annotations === undefined) return []; // covered by another rule
    if (HINT_NAMES.some((hint) => annotations[hint] !== undefined)) return [];
    return [toDraft(tool, 'annotations-missing/no-hint', 'The annotations contain no hint')];
  },
};

function toDraft(tool: ToolSubject, code: string, start: string): Draft {
  return {
    code,
    pointer: pointerInto(tool.pointer, 'annotations'),
    message: `${start}. ${THEN}.`,
  };
}
