/** Finds tools that claim to only add while they remove, overwrite, run given code or move money. */
import type { InferredEffect } from '../../../effect/infer/infer-effect.ts';
import { changeOf } from '../../../effect/effect.ts';
import { TIERS } from '../../../effect/tier.ts';
import { hintDraft, isMarked, saidHint } from '../../tool-hints.ts';
import { leadVerb, movesMoney, inferFromText, saysPlainly, why } from '../../tool-inference.ts';
import { parametersOf } from '../../tool-schema.ts';
import { wordSet } from '../../tool-texts.ts';
import type { Rule } from '../../rule.ts';
import type { ToolSubject } from '../../subject.ts';
import { toWords } from '../../../effect/infer/to-words.ts';

const SURE = 0.6;
/** Verbs that mean nothing else. */
const DESTROYS = wordSet('delete destroy drop purge erase wipe truncate');
/** Stopping one of these ends an observation and loses nothing. */
const WATCHED = wordSet(
  'trace tracing recording record screencast cast capture profiling profile watch stream interact session listener',
);
/** Each has an opposite that restores the earlier state. */
const REVERSIBLE = wordSet('disable suspend deactivate freeze downgrade detach disconnect demote');
const STOPS = wordSet('stop end halt pause');
/** Parameters that preserve old content: a commit on a branch replaces no history. */
const KEEPS = /^(?:branch|commit_message)$/;

export const rule: Rule = {
  id: 'destructive-untrue',
  category: 'truth',
  severity: 'error',
  summary:
    'destructiveHint is false on a tool that removes, overwrites, runs given code or moves money.',
  cost: 'Hosts that ask only before destructive calls let it run free, and the loss is permanent.',
  codes: {
    'destructive-untrue': 'destructiveHint false on a tool that removes or overwrites',
    'destructive-untrue/code': 'destructiveHint false on a tool that runs given code',
    'destructive-untrue/money': 'destructiveHint false on a tool that moves money',
  },
  checkTool(tool) {
    if (saidHint(tool, 'destructiveHint') !== false) return [];
    const inferred = inferFromText(tool);
    const code = codeFor(tool, inferred);
    if (code === undefined) return [];
    const isGuess = !saysPlainly(tool, DESTROYS);
    const message = isGuess
      ? `destructiveHint is false, but it may destroy something: ${why(inferred)}.`
      : `destructiveHint is false, but the inferred act is ${inferred.effect.act}: ${why(inferred)}.`;
    return [hintDraft(tool, { code, hint: 'destructiveHint', message, value: true, isGuess })];
  },
};

function codeFor(tool: ToolSubject, inferred: InferredEffect): string | undefined {
  const { effect, confidence, reasons } = inferred;
  if (!TIERS[effect.tier].asks || confidence < SURE) return undefined;
  // If _meta says that it spends, that is enough; the hint is about state.
  if (effect.money !== undefined)
    return movesMoney(tool) && !isMarked(tool) ? 'destructive-untrue/money' : undefined;
  const removes = changeOf(effect) === 'removes' || effect.overwrites;
  if (reasons[0]?.source === 'name' && REVERSIBLE.has(leadVerb(tool.name) ?? '')) return undefined;
  if (!removes || isStopOfWatching(tool) || keeps(tool)) return undefined;
  return reasons[0]?.code === 'runs-code' ? 'destructive-untrue/code' : 'destructive-untrue';
}

function isStopOfWatching({ name }: ToolSubject): boolean {
  const words = toWords(name);
  return words.some((word) => STOPS.has(word)) && words.some((word) => WATCHED.has(word));
}

function keeps(tool: ToolSubject): boolean {
  const verbs = toWords(tool.name);
  return verbs.includes('push') && parametersOf(tool).some(({ key }) => KEEPS.test(key));
}
