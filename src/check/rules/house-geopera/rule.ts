/** The Geopera house's one table from tier to hints. Whether the tier is true is not asked here. */
import { computes } from '../../../effect/acts.ts';
import type { Hints } from '../../../effect/hints.ts';
import { HINT_NAMES } from '../../../effect/hints.ts';
import { geopera } from '../../../effect/houses/geopera.ts';
import { META_KEYS } from '../../../effect/meta-keys.ts';
import type { Tier } from '../../../effect/tier.ts';
import { houseHint } from '../../look/house-hint.ts';
import { houseTitles } from '../../look/house-titles.ts';
import { memberOf } from '../../look/member-of.ts';
import { onlyIn } from '../../look/only-in.ts';
import { pointerInto } from '../../look/pointer-into.ts';
import { saysSomeHint } from '../../look/says-some-hint.ts';
import type { Draft, Rule } from '../../rule.ts';
import type { ToolSubject } from '../../subject.ts';

export const rule: Rule = {
  id: 'house-geopera',
  category: 'annotations',
  severity: 'warning',
  summary: 'A tool does not say its tier, or not the hints that the Geopera house has for it.',
  cost: 'Hosts and readers that know the house take the tool for something else than it is.',
  profiles: onlyIn('geopera'),
  codes: {
    'house-geopera/tier-unsaid': 'The side effect in _meta is missing or none of the five tiers.',
    'house-geopera/unsaid': 'One of the four hints is unsaid.',
    'house-geopera/other-row': 'A hint is not the one that the table has for the tier.',
    'house-geopera/title': 'The tool itself has no title.',
  },
  checkTool: (tool) => {
    if (!saysSomeHint(tool)) return [];
    const { tier } = tool.stamp;
    return [
      ...(tier.state === 'claimed' ? againstRow(tool, tier.value) : [tierUnsaid(tool)]),
      ...houseHint(tool, HINT_NAMES, {
        code: 'house-geopera/unsaid',
        message: (hint) => `The geopera house says ${hint} on every tool.`,
        when: (said) => said === undefined,
      }),
      ...houseTitles(tool, geopera),
    ];
  },
};

function tierUnsaid({ pointer }: ToolSubject): Draft {
  const { key } = META_KEYS.sideEffect;
  return {
    code: 'house-geopera/tier-unsaid',
    pointer: pointerInto(pointer, '_meta', key),
    message: `The geopera house says the tier of every tool in _meta under ${key}.`,
  };
}

function againstRow(tool: ToolSubject, tier: Tier): readonly Draft[] {
  const row = rowOf(tier);
  return HINT_NAMES.flatMap((hint): readonly Draft[] => {
    const said = memberOf(tool.raw, 'annotations', hint);
    const value = row[hint];
    if (typeof said !== 'boolean' || value === undefined || said === value) return [];
    const pointer = pointerInto(tool.pointer, 'annotations', hint);
    return [
      {
        code: 'house-geopera/other-row',
        pointer,
        message: `The geopera house says ${hint} ${String(value)} for ${tier}.`,
        fix: { kind: 'set', pointer, value },
      },
    ];
  });
}

/** The table looks at the tier alone, so that any act will do. */
function rowOf(tier: Tier): Hints {
  return geopera.hints(computes('data', { tier }));
}
