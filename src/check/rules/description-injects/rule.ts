/** Finds text that gives the model instructions that are not about the tool. */
import { INSTRUCTIONS } from '../../../effect/infer/phrases.ts';
import { showText } from '../../../gate/approvals/show-text.ts';
import type { ToolText } from '../../tool-texts.ts';
import { toolTexts } from '../../tool-texts.ts';
import type { Draft, Rule } from '../../rule.ts';
import { quote } from '../../../gate/tools/drift-change.ts';

type Code = 'orders' | 'secrecy' | 'precedence' | 'exfiltration';

const LONGEST = 20_000;
/** The most characters of a text that are searched. */
const MOST = 4;

/** More phrases than inference looks for, since here each is only reported and decides nothing. */
const PHRASES: readonly (readonly [Code, RegExp])[] = [
  [
    'orders',
    /\b(?:ignore|disregard|forget|override|bypass)\b[^.\n]{0,30}\b(?:previous|prior|earlier|above|system|other|all)\b[^.\n]{0,20}\b(?:instructions?|rules|prompts?|guidelines|messages|policies)\b/i,
  ],
  ['orders', /<\s*\/?\s*(?:system|secret|hidden|instructions?)\s*>/i],
  ['orders', /\[\s*(?:system|inst)\s*\]|<\|(?:im_start|im_end|system|endoftext)\|>/i],
  ['orders', /\byou are now (?:an? |the |in )\b|\bnew (?:system )?instructions?\s*:/i],
  [
    'secrecy',
    /\b(?:do(?: not|n't)|never) (?:tell|mention|inform|notify|reveal|disclose|show|say|report|warn)\b[^.\n]{0,40}\b(?:users?|person|human|anyone|them|customer)\b/i,
  ],
  [
    'secrecy',
    /\bwithout (?:telling|informing|notifying|asking|alerting|the knowledge of|mentioning\b[^.\n]{0,15}\bto) (?:the )?(?:user|person|human|anyone)\b/i,
  ],
  [
    'secrecy',
    /\b(?:secretly|covertly|silently) (?:send|forward|copy|include|read|call|upload|append|attach|pass)\b/i,
  ],
  [
    'secrecy',
    /\b(?:keep|hide) (?:this|that|it|these)\b[^.\n]{0,20}\b(?:from|secret|hidden)\b[^.\n]{0,15}\b(?:user|person|human)\b/i,
  ],
  [
    'precedence',
    /\b(?:before|prior to|after) (?:using|calling|invoking|running|every|each|any)\b[^.\n]{0,20}\b(?:any|every|all|other|another)\b[^.\n]{0,20}\b(?:tools?|response|answer|request|message)\b/i,
  ],
  [
    'precedence',
    /\b(?:this|these) (?:rule|instruction|tool)s? (?:overrides?|supersedes?|takes? (?:precedence|priority) over)\b/i,
  ],
  [
    'exfiltration',
    /\b(?:send|forward|include|pass|append|attach|upload|copy|paste|put|supply|provide)\b[^.\n]{0,50}\b(?:(?:full|entire|whole|complete) (?:conversation|chat|context|prompt)|(?:conversation|chat) (?:history|log)|system prompt|(?:user'?s?|your) (?:passwords?|secrets?|credentials|api keys?|private keys?|ssh keys?))\b/i,
  ],
  [
    'exfiltration',
    /(?:~\/|\/home\/\S+\/|\$HOME\/)\.(?:ssh|aws|gnupg|netrc|cursor|kube)\b|\bid_(?:rsa|ed25519)\b/i,
  ],
  [
    'exfiltration',
    /\b(?:read|open|cat|fetch|load|include|contents? of)\b[^.\n]{0,25}(?:\.env\b|mcp\.json\b|\/etc\/(?:passwd|shadow))/i,
  ],
];

const ASCII = /^[\t\n\r -~]*$/;
/** Every phrase contains one of these words, and most texts contain none. */
const KEYWORDS =
  /ignore|disregard|forget|override|bypass|system|secret|hidden|instruction|inst\]|im_start|im_end|endoftext|you are now|n't|not|never|without|secret|covert|silent|keep|hide|before|prior to|after|supersede|precedence|priority|conversation|chat|context|prompt|password|credential|keys?\b|\.ssh|\.aws|\.gnupg|\.netrc|\.cursor|\.kube|id_(?:rsa|ed)|\.env|mcp\.json|\/etc\//i;

/** Mere mentions that inference takes for an attack; a person can see that `.env file` is not one. */
const READ_AS_ORDERS = INSTRUCTIONS.slice(0, 3);

export const rule: Rule = {
  id: 'description-injects',
  category: 'security',
  severity: 'error',
  summary: 'A text of the tool gives the model instructions that are not about the tool.',
  cost: 'The model may follow them in any conversation where the tool is merely listed.',
  codes: {
    'description-injects/orders': "it overrides the model's instructions",
    'description-injects/secrecy': 'it asks the model to hide something from the user',
    'description-injects/precedence': 'it demands to run before or after everything else',
    'description-injects/exfiltration': 'it asks for data that the tool does not need',
  },
  checkTool(tool) {
    return toolTexts(tool).flatMap(findIn).slice(0, MOST);
  },
};

function findIn({ pointer, text }: ToolText): readonly Draft[] {
  // Folded, so that look-alike letters and hidden characters do not evade it.
  const start = text.slice(0, LONGEST);
  const plain = ASCII.test(start) ? start : start.normalize('NFKC').replaceAll(/\p{Cf}/gu, '');
  if (!KEYWORDS.test(plain)) return [];
  const found = new Map<Code, string>();
  for (const [code, pattern] of PHRASES) {
    const [match] = pattern.exec(plain) ?? [];
    if (match !== undefined && !found.has(code)) found.set(code, match);
  }
  const read = READ_AS_ORDERS.map((pattern) => pattern.exec(plain)?.[0]).find(Boolean);
  if (read !== undefined && found.size === 0 && !/^<\/?important>/i.test(read))
    found.set('orders', read);
  return [...found].map(([code, match]) => ({
    code: `description-injects/${code}`,
    pointer,
    message: `It says ${quote(showText(match.trim()))} to the model.`,
  }));
}
