/** Finds hidden or reordering characters in any text of a tool. */
import type { ToolText } from '../../tool-texts.ts';
import { toolTexts } from '../../tool-texts.ts';
import type { Draft, Rule } from '../../rule.ts';

type Code = 'bidi' | 'tag' | 'control' | 'invisible';

const MOST_SHOWN = 5;
const MOST_TEXTS = 10;

const KINDS: readonly (readonly [Code, RegExp])[] = [
  ['bidi', /[\u{202A}-\u{202E}\u{2066}-\u{2069}]/gu],
  ['tag', /[\u{E0000}-\u{E0FFF}]/gu],
  ['control', /(?![\t\n\r])[\p{Cc}\p{Cs}\u{2028}\u{2029}]/gu],
  [
    'invisible',
    /(?![\u{202A}-\u{202E}\u{2066}-\u{2069}\u{E0000}-\u{E0FFF}])[\p{Cf}\p{Default_Ignorable_Code_Point}\u{2800}]/gu,
  ],
];

/**
 * Parts of visible characters: selectors, joiners and tags of emoji, selectors of ideographs, joiners
 * inside scripts that need them, and direction marks next to right-to-left letters.
 */
const BELONGS: readonly RegExp[] = [
  /\u{1F3F4}[\u{E0020}-\u{E007E}]+\u{E007F}/gu,
  /\p{Extended_Pictographic}[\p{Emoji_Modifier}\u{FE0E}\u{FE0F}]?(?:\u{200D}\p{Extended_Pictographic}[\p{Emoji_Modifier}\u{FE0F}]?)*/gu,
  /[\d#*]\u{FE0F}\u{20E3}/gu,
  /(?<=\p{S})[\u{FE0E}\u{FE0F}]/gu,
  /(?<=\p{Script=Han})[\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]/gu,
  /(?<=[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Mongolian}\p{Script=Devanagari}\p{Script=Bengali}\p{Script=Tamil}\p{Script=Malayalam}\p{Script=Kannada}\p{Script=Telugu}\p{Script=Sinhala}])[\u{200C}\u{200D}]/gu,
];
/** Most texts; no closer check needed. */
const PLAIN = /^[ -~]*$/;
const PLAIN_LINES = /^[\t\n\r -~]*$/;
const RIGHT_TO_LEFT = /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}]/u;

export const rule: Rule = {
  id: 'hidden-characters',
  category: 'security',
  severity: 'error',
  summary: 'A text of the tool contains hidden characters.',
  cost: 'The model reads what the approver cannot see; two names can look like one.',
  codes: {
    'hidden-characters/bidi': 'characters that reorder the text around them',
    'hidden-characters/tag': 'tags and selectors that can spell out a hidden text',
    'hidden-characters/control': 'control characters',
    'hidden-characters/invisible': 'characters without width or shape',
  },
  checkTool(tool) {
    return toolTexts(tool).flatMap(findIn).slice(0, MOST_TEXTS);
  },
};

function findIn({ pointer, text, kind }: ToolText): readonly Draft[] {
  if ((kind === 'name' ? PLAIN : PLAIN_LINES).test(text)) return [];
  const rest = kind === 'name' ? text : withoutBelonging(text);
  return KINDS.flatMap(([code, pattern]): readonly Draft[] => {
    const found = rest.match(pattern) ?? [];
    const extra = kind === 'name' && code === 'control' ? (text.match(/[\t\n\r]/g) ?? []) : [];
    const points = [...new Set([...found, ...extra])].map(toCodePoint);
    if (points.length === 0) return [];
    const count = found.length + extra.length;
    const shown = points.slice(0, MOST_SHOWN).join(' ');
    const more = points.length > MOST_SHOWN ? ' and others' : '';
    const message = `It contains ${count} hidden character${count === 1 ? '' : 's'}: ${shown}${more}.`;
    return [{ code: `hidden-characters/${code}`, pointer, message }];
  });
}

function withoutBelonging(text: string): string {
  const plain = BELONGS.reduce((left, pattern) => left.replaceAll(pattern, '.'), text);
  return RIGHT_TO_LEFT.test(text) ? plain.replaceAll(/[\u{200E}\u{200F}\u{061C}]/gu, '') : plain;
}

function toCodePoint(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
