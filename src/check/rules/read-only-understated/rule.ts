/** Finds plain reads that claim not to be read-only. */
import { TIERS } from '../../../effect/tier.ts';
import { hintDraft, saidHint } from '../../tool-hints.ts';
import { parametersOf } from '../../tool-schema.ts';
import { inferFromText, why } from '../../tool-inference.ts';
import { wordSet } from '../../tool-texts.ts';
import type { Rule } from '../../rule.ts';
import { toWords } from '../../../effect/infer/to-words.ts';

const SURE = 0.9;
/** To select may change the selection, and feedback is a write, whatever it is about. */
const DOUBTFUL = wordSet('select feedback download');
/** A file to write is reason enough for false. */
const LEAVES =
  /^(?:filename|file_name|(?:\w+_)?file_path|save\w*|output\w*|dest\w*|download\w*|store\w*)$/;

export const rule: Rule = {
  id: 'read-only-understated',
  category: 'truth',
  severity: 'info',
  summary: 'readOnlyHint is false on a tool that appears to only read.',
  cost: 'Hosts ask before every call, and people learn to approve without reading.',
  codes: { 'read-only-understated': 'readOnlyHint false on a plain read' },
  checkTool(tool) {
    if (saidHint(tool, 'readOnlyHint') !== false) return [];
    if (saidHint(tool, 'destructiveHint') === true || tool.stamp.tier.state !== 'absent') return [];
    if (toWords(tool.name).some((word) => DOUBTFUL.has(word))) return [];
    const inferred = inferFromText(tool);
    if (!TIERS[inferred.effect.tier].readsOnly || inferred.confidence < SURE) return [];
    if (parametersOf(tool).some(({ key }) => LEAVES.test(key))) return [];
    const message = `readOnlyHint is false, but the tool appears to only read: ${why(inferred)}.`;
    const fault = { code: 'read-only-understated', hint: 'readOnlyHint', value: true } as const;
    return [hintDraft(tool, { ...fault, message })];
  },
};
