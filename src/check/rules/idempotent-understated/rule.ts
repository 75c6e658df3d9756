/** Finds tools that set, update, replace or delete and claim that a repeat would do more. */
import { hintDraft, saidHint } from '../../tool-hints.ts';
import { leadVerb, inferFromText } from '../../tool-inference.ts';
import { parametersOf } from '../../tool-schema.ts';
import { wordSet } from '../../tool-texts.ts';
import type { Rule } from '../../rule.ts';
import { settlesByNature } from '../../../effect/repeat.ts';
import { toWords } from '../../../effect/infer/to-words.ts';

const SURE = 0.7;
/** The same call twice leaves the same state, whatever the second one returns. */
const SETTLES = wordSet(
  `set put delete remove archive unarchive revoke enable disable rename mute unmute pin unpin
  lock unlock hide unset update edit modify write save replace pause restore approve cancel mark`,
);
/** A position or a count that has changed by the second call, or a step. */
const RELATIVE =
  /^(?:index|position|offset|line|lines?_\w+|count|n|number_of_\w+|amount|delta|row|rows?_\w*|start\w*|sql|query|where|mode|operation|action|command|edits|old_\w+|new_str\w*|children|append\w*|insert\w*|after|patch|diff|type)$/;
const STEPWISE = wordSet('last first next oldest newest pop and or timer alarm reminder');

export const rule: Rule = {
  id: 'idempotent-understated',
  category: 'truth',
  severity: 'info',
  summary: 'idempotentHint is false on a tool whose repeat changes nothing more.',
  cost: 'Clients give up after a lost answer although they could simply retry.',
  // These two judge a repeat by its answer, and a second delete returns another one.
  profiles: { nextcloud: 'off', epd: 'off' },
  codes: { 'idempotent-understated': 'idempotentHint false on a set, update or delete' },
  checkTool(tool) {
    if (saidHint(tool, 'idempotentHint') !== false) return [];
    const verb = leadVerb(tool.name) ?? '';
    const { confidence, effect } = inferFromText(tool);
    if (!SETTLES.has(verb) || confidence < SURE || !settlesByNature(effect.repeat)) return [];
    if (toWords(tool.name).some((word) => STEPWISE.has(word))) return [];
    if (parametersOf(tool).some(({ key }) => RELATIVE.test(key))) return [];
    const message = `idempotentHint is false, but to ${verb} twice has the same effect as once.`;
    const fault = { code: 'idempotent-understated', hint: 'idempotentHint', value: true } as const;
    return [hintDraft(tool, { ...fault, message })];
  },
};
