/** Finds tools that claim to be read-only while their own text says that they change something. */
import type { ReasonCode } from '../../../effect/infer/reason.ts';
import type { InferredEffect } from '../../../effect/infer/infer-effect.ts';
import { TIERS } from '../../../effect/tier.ts';
import { hintDraft, saidHint } from '../../tool-hints.ts';
import { isSum, leadVerb, inferFromText, saysPlainly, why } from '../../tool-inference.ts';
import { wordSet } from '../../tool-texts.ts';
import type { Rule } from '../../rule.ts';
import type { ToolSubject } from '../../subject.ts';

/** Verbs that never only look. */
const CHANGES = wordSet(
  `delete remove destroy drop purge erase wipe truncate create add insert update edit modify write send upload
  rename move set publish deploy cancel terminate revoke archive append replace overwrite charge pay refund reset
  post clear stop kill restart enable disable`,
);
/** Verbs that may only produce an answer: a generated text, an opened node, a started check. */
const MAY_ONLY_ANSWER = wordSet(
  `run perform invoke execute open generate render compose produce synthesize confirm crawl research plan report
  record log index`,
);
/** Triggers what is named, which may be a mere query. */
const REHEARSES = wordSet('trigger simulate');
/** Building a URL opens nothing. */
const LINKS = /(?:link|url)s?$/i;
/** An unknown effect, or a suspicious text, does not indicate a change. */
const INCONCLUSIVE: ReadonlySet<ReasonCode> = new Set(['unreadable', 'instructs-the-model']);
/** Less confidence than this is a guess. */
const SURE = 0.5;

export const rule: Rule = {
  id: 'read-only-untrue',
  category: 'truth',
  severity: 'error',
  summary: 'readOnlyHint is true on a tool that appears to change something.',
  cost: 'Hosts run read-only tools without asking and in parallel; the change goes unnoticed.',
  codes: { 'read-only-untrue': 'readOnlyHint true on a tool that writes' },
  checkTool(tool) {
    if (saidHint(tool, 'readOnlyHint') !== true) return [];
    const inferred = inferFromText(tool);
    if (!writesFor(tool, inferred)) return [];
    const isGuess = !saysPlainly(tool, CHANGES);
    const message = isGuess
      ? `readOnlyHint is true, but it may change something: ${why(inferred)}.`
      : `readOnlyHint is true, but the inferred tier is ${inferred.effect.tier}: ${why(inferred)}.`;
    const fault = { code: 'read-only-untrue', hint: 'readOnlyHint', value: false } as const;
    return [hintDraft(tool, { ...fault, message, isGuess })];
  },
};

function writesFor(tool: ToolSubject, { effect, confidence, reasons }: InferredEffect): boolean {
  if (TIERS[effect.tier].readsOnly || confidence < SURE) return false;
  const [first] = reasons;
  if (first === undefined || INCONCLUSIVE.has(first.code) || isSum(tool)) return false;
  const verb = leadVerb(tool.name) ?? '';
  if (first.source !== 'name' || runsCode(reasons)) return true;
  if (REHEARSES.has(verb)) return false;
  // With a grave object ("generate key") even such a verb is unambiguous.
  const grave = TIERS[effect.tier].asks && !LINKS.test(tool.name);
  return grave || !MAY_ONLY_ANSWER.has(verb);
}

function runsCode(reasons: InferredEffect['reasons']): boolean {
  return reasons.some(({ code }) => code === 'runs-code');
}
