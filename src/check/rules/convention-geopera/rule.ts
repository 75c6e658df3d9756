/** The Geopera convention's one table from tier to hints. Does not check whether the tier is true. */
import { computes } from '../../../effect/acts.ts';
import type { Hints } from '../../../effect/hints.ts';
import { HINT_NAMES } from '../../../effect/hints.ts';
import { geopera } from '../../../effect/conventions/geopera.ts';
import { META_KEYS } from '../../../effect/meta-keys.ts';
import type { Tier } from '../../../effect/tier.ts';
import { conventionHint, conventionTitles, saysSomeHint } from '../../tool-hints.ts';
import { memberOf, pointerInto } from '../../tool-schema.ts';
import { onlyIn } from '../../tool-texts.ts';
import type { Draft, Rule } from '../../rule.ts';
import type { ToolSubject } from '../../subject.ts';

export const rule: Rule = {
  id: 'convention-geopera',
  category: 'annotations',
  severity: 'warning',
  summary: 'A tool does not set its tier, or not the hints that the Geopera convention has for it.',
  cost: 'Hosts and readers that know the convention misjudge the tool.',
  profiles: onlyIn('geopera'),
  codes: {
    'convention-geopera/tier-unset':
      'The side effect in _meta is missing or not one of the five tiers.',
    'convention-geopera/unset': 'One of the four hints is not set.',
    'convention-geopera/other-row': 'A hint is not the one that the table has for the tier.',
    'convention-geopera/title': 'The tool itself has no title.',
  },
  checkTool: (tool) => {
    if (!saysSomeHint(tool)) return [];
    const { tier } = tool.stamp;
    return [
      ...(tier.state === 'claimed' ? againstRow(tool, tier.value) : [tierUnset(tool)]),
      ...conventionHint(tool, HINT_NAMES, {
        code: 'convention-geopera/unset',
        message: (hint) => `The geopera convention sets ${hint} on every tool.`,
        when: (said) => said === undefined,
      }),
      ...conventionTitles(tool, geopera),
    ];
  },
};

function tierUnset({ pointer }: ToolSubject): Draft {
  const { key } = META_KEYS.sideEffect;
  return {
    code: 'convention-geopera/tier-unset',
    pointer: pointerInto(pointer, '_meta', key),
    message: `The geopera convention sets the tier of every tool in _meta under ${key}.`,
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
        code: 'convention-geopera/other-row',
        pointer,
        message: `The geopera convention sets ${hint} to ${String(value)} for ${tier}.`,
        fix: { kind: 'set', pointer, value },
      },
    ];
  });
}

/** The table depends on the tier alone, so any act will do. */
function rowOf(tier: Tier): Hints {
  return geopera.hints(computes('data', { tier }));
}
