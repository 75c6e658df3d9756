/** Finds reads and plain additions that call themselves destructive. */
import type { InferredEffect } from '../../../effect/infer/infer-effect.ts';
import { changeOf } from '../../../effect/effect.ts';
import { TIERS } from '../../../effect/tier.ts';
import { hintDraft, saidHint } from '../../tool-hints.ts';
import { parametersOf } from '../../tool-schema.ts';
import { leadVerb, inferFromText, why } from '../../tool-inference.ts';
import { wordSet } from '../../tool-texts.ts';
import type { Rule } from '../../rule.ts';
import type { ToolSubject } from '../../subject.ts';

const SURE = 0.9;
/** Verbs that only add; to start, open, import or upload may do more. */
const ADDS = wordSet('create add insert append prepend new make');
/** A read that writes a file may overwrite one, and a combined tool may do more than add. */
const LEAVES =
  /^(?:path|(?:\w+_)?file_?path|file_?name|filename|save\w*|output\w*|dest\w*|overwrite|force)$/;
const COMBINED = /(?:^|[_\-. ])(?:or|and)(?:[_\-. ]|$)|upsert/i;

export const rule: Rule = {
  id: 'destructive-overstated',
  category: 'truth',
  severity: 'info',
  summary: 'destructiveHint is true on a tool that only reads or adds.',
  cost: 'Hosts ask each time; when all tools warn, warnings are ignored.',
  // Anthropic requires the hint on everything that modifies data, including additions.
  profiles: { 'anthropic-directory': 'off', epd: 'off' },
  codes: {
    'destructive-overstated/read': 'destructiveHint true on a plain read',
    'destructive-overstated/addition': 'destructiveHint true on a plain addition',
  },
  checkTool(tool) {
    if (saidHint(tool, 'destructiveHint') !== true || tool.stamp.tier.state !== 'absent') return [];
    const inferred = inferFromText(tool);
    const code = codeFor(tool, inferred);
    if (code === undefined) return [];
    const message = `destructiveHint is true, but nothing in it removes or overwrites: ${why(inferred)}.`;
    return [hintDraft(tool, { code, hint: 'destructiveHint', message, value: false })];
  },
};

function codeFor(tool: ToolSubject, { effect, confidence }: InferredEffect): string | undefined {
  if (confidence < SURE || TIERS[effect.tier].asks || COMBINED.test(tool.name)) return undefined;
  if (parametersOf(tool).some(({ key }) => LEAVES.test(key))) return undefined;
  if (TIERS[effect.tier].readsOnly) return 'destructive-overstated/read';
  const adds = changeOf(effect) === 'adds' && ADDS.has(leadVerb(tool.name) ?? '');
  return adds ? 'destructive-overstated/addition' : undefined;
}
