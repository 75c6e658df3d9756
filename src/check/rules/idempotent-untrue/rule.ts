/** Finds tools that claim a repeat changes nothing while each call adds, sends or pays again. */
import type { Act } from '../../../effect/act.ts';
import { TIERS } from '../../../effect/tier.ts';
import { findKeySlot } from '../../../gate/tools/key-slot.ts';
import { descriptionOf, wordSet } from '../../tool-texts.ts';
import { hintDraft, saidHint } from '../../tool-hints.ts';
import { isSum, leadVerb, inferFromText, saysPlainly, spends, why } from '../../tool-inference.ts';
import { memberOf, parametersOf } from '../../tool-schema.ts';
import type { Rule } from '../../rule.ts';
import type { ToolSubject } from '../../subject.ts';
import { toWords } from '../../../effect/infer/to-words.ts';

const SURE = 0.5;
const ADDING: ReadonlySet<Act> = new Set<Act>(['create', 'append', 'deliver', 'share']);
const ADDS = wordSet(
  `create add insert append prepend new send reply forward post publish invite broadcast notify submit
  resend reinvite tweet comment duplicate clone copy upload enqueue push schedule import pay charge
  transfer buy purchase order refund withdraw email message announce book draft`,
);
/** Verbs that change by the same step each time. */
const STEPS = wordSet(
  'toggle increment decrement bump flip click drag press type tap swipe undo redo',
);
/** Things that a second call finds already present, and words that say so. */
const UNIQUE = wordSet(
  `or if upsert ensure directory directories folder dir label labels tag tags star reaction relation relations
  entity entities association associations branch fork repository bucket namespace member members role
  permission key schema table index extension property properties category bookmark`,
);
/** The caller names the thing, so a second call can be refused or find it. */
const NAMED = /^(?:path|file_?path|id|slug|key|sku|code|username|uid|uuid|external_id|client_\w+)$/;
const IDENTIFIES =
  /(?:^|_)(?:name|title|id|ids|key|slug|email|path|url|entities|items|records|data|input|inputs)$/;
/** Each call of these makes another one. */
const REPEATS = wordSet('create append send post insert');
const READ_ONLY = /\bread-?only\b/i;
const SAYS_SO =
  /\b(?:idempotent|if (?:it|they|one) (?:does|do)(?: not|n't) (?:already )?exist|already exists?|no[- ]op|de-?dup\w*|existing one)\b/i;

export const rule: Rule = {
  id: 'idempotent-untrue',
  category: 'truth',
  severity: 'error',
  summary: 'idempotentHint is true on a tool that adds, sends or pays with every call.',
  cost: 'Clients retry it after a timeout: two notes, two emails, two payments.',
  codes: {
    'idempotent-untrue': 'idempotentHint true on a tool that adds or sends each time',
    'idempotent-untrue/money': 'idempotentHint true on a tool that pays each time',
    'idempotent-untrue/code': 'idempotentHint true on a tool that runs given code',
  },
  checkTool(tool) {
    if (saidHint(tool, 'idempotentHint') !== true) return [];
    const code = codeFor(tool);
    if (code === undefined) return [];
    const isGuess = !saysPlainly(tool, REPEATS) || namesIt(tool);
    const message = isGuess
      ? `idempotentHint is true, but a second call may have a second effect: ${why(inferFromText(tool))}.`
      : `idempotentHint is true, but nothing makes a second call harmless: ${why(inferFromText(tool))}.`;
    return [hintDraft(tool, { code, hint: 'idempotentHint', message, value: false, isGuess })];
  },
};

function codeFor(tool: ToolSubject): string | undefined {
  const { effect, confidence, reasons } = inferFromText(tool);
  if (TIERS[effect.tier].readsOnly || confidence < SURE || isSum(tool) || hasContract(tool))
    return undefined;
  const runsCode = reasons.some(({ code }) => code === 'runs-code');
  if (runsCode && !READ_ONLY.test(descriptionOf(tool))) return 'idempotent-untrue/code';
  const verb = leadVerb(tool.name) ?? '';
  if (STEPS.has(verb)) return 'idempotent-untrue';
  if (!ADDS.has(verb)) return undefined;
  if (spends(tool)) return 'idempotent-untrue/money';
  if (!ADDING.has(effect.act)) return undefined;
  const sends = effect.act === 'deliver';
  return sends || !findsItThere(tool) ? 'idempotent-untrue' : undefined;
}

/** What the caller names can be refused the second time. */
function namesIt(tool: ToolSubject): boolean {
  return parametersOf(tool).some(({ key, top }) => top && IDENTIFIES.test(key));
}

function hasContract(tool: ToolSubject): boolean {
  const { raw, inferred } = tool;
  const { kind } = inferred.effect.repeat;
  if (kind === 'key' || kind === 'version') return true;
  const keyed = { inputSchema: memberOf(raw, 'inputSchema'), _meta: memberOf(raw, '_meta') };
  return findKeySlot(keyed) !== undefined || SAYS_SO.test(descriptionOf(tool));
}

function findsItThere(tool: ToolSubject): boolean {
  if (toWords(tool.name).some((word) => UNIQUE.has(word))) return true;
  return parametersOf(tool).some(({ key, required, top }) => top && required && NAMED.test(key));
}
