/** The one sentence that tells a person why they are asked. Its words are ours or the policy's. */
import type { Act } from '../../effect/act.ts';
import type { CallFacts } from './call-facts.ts';

const DOES: Readonly<Record<Act, string>> = {
  read: 'look at data',
  compute: 'run work',
  create: 'create something',
  append: 'add to something',
  update: 'change something',
  put: 'replace something',
  set: 'set a value',
  move: 'move something',
  archive: 'put something away',
  delete: 'delete something',
  revoke: 'take back access',
  cancel: 'cancel something',
  spend: 'spend money or credits',
  refund: 'give money back',
  share: 'let data out',
  deliver: 'send something out',
  provision: 'set up access',
};

/** A reading gives many reasons; the first one decided. */
const LONGEST_REASON = 120;

/** `grounds` are ends of sentences, the weightiest first. */
export function describeAsk(facts: CallFacts, grounds: readonly string[]): string {
  const reason = facts.reasons[0]?.text;
  const seen = reason === undefined ? '' : ` (${shorten(reason)})`;
  return `It would ${DOES[facts.effect.act]}${seen}: ${grounds.map(withoutStop).join('; ')}.`;
}

function shorten(text: string): string {
  if (text.length <= LONGEST_REASON) return text;
  return `${text.slice(0, LONGEST_REASON - 1).toWellFormed()}…`;
}

function withoutStop(text: string): string {
  return text.replace(/\.$/, '');
}
