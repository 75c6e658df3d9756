/** Finds tools that share data or access and carry no mark that a host could act on. */
import { TIERS } from '../../../effect/tier.ts';
import { isMarked, saidHint } from '../../tool-hints.ts';
import { leadVerb, inferFromText, why } from '../../tool-inference.ts';
import { wordSet } from '../../tool-texts.ts';
import type { Rule } from '../../rule.ts';
import { toSingular, toWords } from '../../../effect/infer/to-words.ts';

const SURE = 0.6;
const LETS_OUT = wordSet(
  `send reply forward share publish export invite reinvite grant broadcast announce post tweet email
  notify expose resend crosspost permit respond rsvp dm`,
);
const WAYS_OUT = wordSet(
  'share sharing shareable presigned invite invitation permission collaborator webhook acl send',
);

export const rule: Rule = {
  id: 'share-unmarked',
  category: 'truth',
  severity: 'warning',
  summary: 'A tool shares data or access, and neither a hint nor _meta says so.',
  cost: 'MCP has no hint for it, so hosts see a small write; what was shared cannot be recalled.',
  profiles: { geopera: 'error', strict: 'error', nextcloud: 'info' },
  codes: { 'share-unmarked': 'it shares, sends or grants, and nothing marks it' },
  checkTool(tool) {
    // Its openWorldHint is either mark enough or covered by another rule.
    if (saidHint(tool, 'openWorldHint') !== undefined) return [];
    if (saidHint(tool, 'destructiveHint') === true || saidHint(tool, 'readOnlyHint') === true)
      return [];
    const inferred = inferFromText(tool);
    if (!TIERS[inferred.effect.tier].issuesSecrets || inferred.confidence < SURE) return [];
    if (isMarked(tool) || !isPlain(tool.name)) return [];
    const message = `It appears to share something, and nothing marks it: ${why(inferred)}.`;
    return [{ code: 'share-unmarked', pointer: tool.pointer, message }];
  },
};

/** By the name alone: many tools that share nothing have parameters such as `visibility`. */
function isPlain(name: string): boolean {
  if (LETS_OUT.has(leadVerb(name) ?? '')) return true;
  return toWords(name).some((word) => WAYS_OUT.has(toSingular(word)));
}
