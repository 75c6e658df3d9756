/** Hints that are set, but not to true or false. */
import { HINT_NAMES } from '../../../effect/hints.ts';
import { TIERS } from '../../../effect/tier.ts';
import type { Fix, Draft, Rule } from '../../rule.ts';
import type { ToolSubject } from '../../subject.ts';
import { inferFromText } from '../../tool-inference.ts';
import { memberOf, pointerInto } from '../../tool-schema.ts';

export const rule: Rule = {
  id: 'hint-not-boolean',
  category: 'annotations',
  severity: 'error',
  summary: 'A hint is neither true nor false.',
  cost: "Clients built on the official SDK refuse the server's whole list over one such hint.",
  codes: { 'hint-not-boolean': 'The hint is text, a number, null, a list or an object.' },
  checkTool: (tool) =>
    HINT_NAMES.flatMap((hint): readonly Draft[] => {
      const said = memberOf(tool.raw, 'annotations', hint);
      if (said === undefined || typeof said === 'boolean') return [];
      const pointer = pointerInto(tool.pointer, 'annotations', hint);
      const fix = isDoubtful(tool, hint, said) ? undefined : toFix(pointer, said);
      return [
        {
          code: 'hint-not-boolean',
          pointer,
          message: `${hint} is ${kindOf(said)} and not a boolean: SDK clients then fail on the whole list, not only on this tool.`,
          ...(fix !== undefined && { fix }),
        },
      ];
    }),
};

/** Where the text says that it writes, a person decides which of the two is wrong. */
function isDoubtful(tool: ToolSubject, hint: string, said: unknown): boolean {
  return (
    hint === 'readOnlyHint' && said === 'true' && !TIERS[inferFromText(tool).effect.tier].readsOnly
  );
}

function toFix(pointer: string, said: unknown): Fix | undefined {
  if (said === null) return { kind: 'remove', pointer };
  if (said === 'true' || said === 'false') return { kind: 'set', pointer, value: said === 'true' };
  return undefined;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'string') return 'text';
  return typeof value === 'number' ? 'a number' : 'an object';
}
