/** Finds arguments that turn a mild call into a grave one. */
import { readDeclaredEffect } from '../../../effect/infer/read-declared-effect.ts';
import { TIERS } from '../../../effect/tier.ts';
import { showText } from '../../../gate/approvals/show-text.ts';
import { parameterPointer, parametersOf } from '../../tool-schema.ts';
import { inferFromText } from '../../tool-inference.ts';
import { saidHint } from '../../tool-hints.ts';
import type { Draft, Rule } from '../../rule.ts';
import type { ToolSubject } from '../../subject.ts';
import { quote } from '../../../gate/tools/drift-change.ts';

const MOST_SHOWN = 6;

export const rule: Rule = {
  id: 'effect-by-argument',
  category: 'truth',
  severity: 'info',
  summary: 'An argument decides whether a call is mild or grave.',
  cost: 'One hint covers both: hosts ask before harmless calls too, or before none.',
  profiles: { strict: 'warning' },
  codes: {
    'effect-by-argument/choice': 'some values of a parameter make the call graver',
    'effect-by-argument/switch': 'a switch makes the call graver, and the hints ignore it',
  },
  checkTool(tool) {
    if ((readDeclaredEffect(tool.raw)?.varies.length ?? 0) > 0) return [];
    const { effect } = inferFromText(tool);
    if (!TIERS[effect.tier].asks) return [];
    const milder = new Map<string, Set<string | number | boolean>>();
    for (const { when, effect: other } of effect.varies) {
      if (TIERS[other.tier].asks || 'state' in when || !('is' in when)) continue;
      const values = milder.get(when.argument) ?? new Set();
      milder.set(when.argument, new Set([...values, ...when.is]));
    }
    return [...milder].flatMap(([argument, values]) => toDraft(tool, argument, values));
  },
};

function toDraft(
  tool: ToolSubject,
  argument: string,
  milder: ReadonlySet<string | number | boolean>,
): readonly Draft[] {
  const parameter = parametersOf(tool).find(({ name, top }) => top && name === argument);
  if (parameter === undefined) return [];
  const pointer = parameterPointer(tool, parameter);
  const named = quote(showText(argument));
  if (milder.has(false)) {
    // Hints are the worst case; one that covers the switch is as true as it can be.
    if (saidHint(tool, 'destructiveHint') === true) return [];
    const message = `${named} set to true makes the call graver.`;
    return [{ code: 'effect-by-argument/switch', pointer, message }];
  }
  const grave = parameter.values.filter((value) => !milder.has(value));
  if (grave.length === 0) return [];
  const shown = grave.slice(0, MOST_SHOWN).map((value) => quote(showText(value)));
  const more = grave.length > MOST_SHOWN ? ` and ${grave.length - MOST_SHOWN} more` : '';
  const message = `${named} decides: ${shown.join(', ')}${more} ${grave.length === 1 ? 'is' : 'are'} graver than the rest.`;
  return [{ code: 'effect-by-argument/choice', pointer, message }];
}
