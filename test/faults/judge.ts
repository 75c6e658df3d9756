/** What must hold after every run, whatever failed on the way. */
import type { Recorded } from 'plimsoll/server';
import type { EffectClass } from './effect-classes.ts';
import type { Attempt } from './process.ts';
import type { Counted } from './run-one.ts';

export function codeOf(answer: Recorded): string {
  return answer.kind === 'failure' ? answer.problem.code : answer.kind;
}

export function judge(
  effectClass: EffectClass,
  attempts: readonly Attempt[],
  counted: Counted,
): string[] {
  return [
    ...judgeEffects(effectClass, counted),
    ...judgeReceipts(effectClass, attempts, counted),
    ...judgeKeyRecord(effectClass, counted),
    ...attempts.flatMap((attempt) => judgeAnswer(effectClass, attempt, counted)),
  ];
}

function judgeEffects({ isKeyed }: EffectClass, { effects }: Counted): readonly string[] {
  if (isKeyed) return effects.length > 1 ? [`${effects.length} effects under one key`] : [];
  return new Set(effects).size < effects.length ? ['one attempt had several effects'] : [];
}

/** One for each answer, with its outcome; of attempts without an answer there may be one. */
function judgeReceipts(
  { name }: EffectClass,
  attempts: readonly Attempt[],
  { receipts }: Counted,
): readonly string[] {
  const rest = [...receipts];
  const violations: string[] = [];
  let optional = 0;
  for (const { answer, life } of attempts) {
    const code = answer && codeOf(answer);
    const index = code === undefined ? -1 : rest.indexOf(code);
    if (index >= 0) rest.splice(index, 1);
    // Receipts of reads are written behind their answers; and some answers say that theirs is missing.
    else if (code === undefined || code === 'receipt-lost' || (name === 'read' && life.isDead)) {
      optional += 1;
    } else violations.push(`answered ${code} without a receipt`);
  }
  if (rest.length > optional) violations.push(`receipts too many: ${rest.join(', ')}`);
  return violations;
}

function judgeKeyRecord(effectClass: EffectClass, { states }: Counted): readonly string[] {
  if (!effectClass.isKeyed) return states.length > 0 ? ['a key record without a key'] : [];
  const [state = 'none', ...others] = states;
  if (others.length > 0) return [`${states.length} key records`];
  const ends = ['SUCCEEDED', 'FAILED_FINAL', ...(effectClass.canFindOut ? [] : ['UNKNOWN'])];
  return ends.includes(state) ? [] : [`the key record stays ${state}`];
}

/** These say that nothing was run, in this attempt or at all. */
const REFUSALS = new Set(['unavailable', 'in-flight', 'not-executed', 'key-reused', 'cancelled']);

function judgeAnswer(
  { name, isKeyed, isLocal }: EffectClass,
  { id, answer }: Attempt,
  { effects, states }: Counted,
): readonly string[] {
  if (answer === undefined || name === 'read') return [];
  const code = codeOf(answer);
  const violations: string[] = [];
  if (code === 'success') {
    const happened = isKeyed || name === 'delete' ? effects.length > 0 : effects.includes(id);
    if (!happened) violations.push('answered as done, and it did not happen');
    if (isKeyed && states[0] !== 'SUCCEEDED') {
      violations.push(`answered as done, and the key record is ${states[0] ?? 'none'}`);
    }
  }
  const detail = answer.kind === 'failure' ? answer.problem.detail : '';
  const deniesIt = REFUSALS.has(code) || /nothing was (?:run|sent)/i.test(detail);
  if (deniesIt && !isLocal && effects.includes(id)) violations.push(`answered ${code}, and it ran`);
  if (code === 'not-executed' && effects.length > 0) {
    violations.push('answered not-executed, and it happened');
  }
  return violations;
}
