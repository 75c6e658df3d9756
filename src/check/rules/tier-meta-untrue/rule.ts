/** Finds tiers in `_meta` that contradict the hints or the tool's own text. */
import { META_KEYS } from '../../../effect/meta-keys.ts';
import type { Tier } from '../../../effect/tier.ts';
import { TIERS } from '../../../effect/tier.ts';
import { changeOf } from '../../../effect/effect.ts';
import { movesMoney, inferFromText, why } from '../../tool-inference.ts';
import { saidHint } from '../../tool-hints.ts';
import type { Draft, Rule } from '../../rule.ts';
import type { ToolSubject } from '../../subject.ts';
import { quote } from '../../../gate/tools/drift-change.ts';

const { key } = META_KEYS.sideEffect;
const SURE = 0.7;

export const rule: Rule = {
  id: 'tier-meta-untrue',
  category: 'truth',
  severity: 'error',
  summary: `The tier in ${key} is unknown, or contradicts the hints or the tool's own text.`,
  cost: 'Gates and hosts that rely on the tier ask too late or not at all.',
  codes: {
    'tier-meta-untrue/unknown': 'the tier is not one of the five',
    'tier-meta-untrue/against-hint': 'a hint says the opposite of the tier',
    'tier-meta-untrue/understated': 'the inferred effect is graver than the tier',
  },
  checkTool(tool) {
    const { tier } = tool.stamp;
    if (tier.state === 'absent') return [];
    if (tier.state === 'contradictory') {
      const said = typeof tier.said === 'string' ? ` ${quote(tier.said)}` : '';
      return [toDraft(tool, 'unknown', `The tier${said} is not one of the five.`)];
    }
    return [...againstHints(tool, tier.value), ...againstInferred(tool, tier.value)];
  },
};

function againstHints(tool: ToolSubject, tier: Tier): readonly Draft[] {
  const readOnly = saidHint(tool, 'readOnlyHint');
  const destructive = saidHint(tool, 'destructiveHint');
  const { readsOnly, severity } = TIERS[tier];
  const against = (text: string): readonly Draft[] => [
    toDraft(tool, 'against-hint', `The tier is ${tier}, but ${text}.`),
  ];
  if (readOnly !== undefined && readOnly !== readsOnly)
    return against(`readOnlyHint is ${String(readOnly)}`);
  if (readsOnly && destructive === true) return against('destructiveHint is true');
  return severity === GRAVEST && destructive === false ? against('destructiveHint is false') : [];
}
const GRAVEST = Math.max(...Object.values(TIERS).map(({ severity }) => severity));

/** The author may have reasons for a tier above the inferred one; one below is a promise. */
function againstInferred(tool: ToolSubject, tier: Tier): readonly Draft[] {
  const inferred = inferFromText(tool);
  const { effect, confidence } = inferred;
  if (TIERS[tier].asks || !TIERS[effect.tier].asks || confidence < SURE) return [];
  const grave = changeOf(effect) === 'removes' || movesMoney(tool);
  if (!grave) return [];
  const message = `The tier is ${tier}, but the inferred tier is ${effect.tier}: ${why(inferred)}.`;
  return [toDraft(tool, 'understated', message)];
}

function toDraft({ pointer }: ToolSubject, code: string, message: string): Draft {
  return { code: `tier-meta-untrue/${code}`, pointer: `${pointer}/_meta/${key}`, message };
}
