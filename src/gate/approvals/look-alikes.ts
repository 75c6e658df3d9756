/**
 * Finds words that pass for others: letters of several alphabets in one word, a whole word in letters
 * that look like Latin ones, and wide, styled or foreign forms of letters, digits and signs. The idea is
 * that of Unicode's security mechanisms (UTS 39), with a table of what is hard to tell apart in the fonts
 * of hosts and terminals.
 */
import { showText, toMarker } from './show-text.ts';

const WORD = /[\p{L}\p{M}\p{N}]+/gu;
const LATIN = /\p{Script=Latin}/u;
/** Alphabets that nobody writes within a Latin word; East Asian ones are written beside it without a space. */
const FOREIGN =
  /[\p{L}--[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Common}]]/v;
const ASCII_WORD = /^[\w]+$/;
const BEYOND_ASCII = /[^\0-\x7F]/u;
const FOREIGN_DIGIT = /[\p{Nd}--[0-9]]/v;
/** A sign with a plain form: a wide full stop, a small comma. */
const SIGN = /[^\p{L}\p{M}\p{N}\s\0-\x7F]/gu;
const ASCII_SIGN = /^[!-~]$/;

/** Each letter before its Latin look-alike. */
const PAIRS =
  'аaсcԁdеeһhіiјjӏlоoрpԛqѕsѵvѡwхxуyүyԝwАAВBСCЕEНHІIЈJКKМMОOРPЅSТTХXУYҮYԜWԌGӀI' +
  'αaγyιiνvοoρpσoυuϲcϳjΑAΒBΕEΖZΗHΙIΚKΜMΝNΟOΡPΤTΥYΧX' +
  'ցgհhոnսuօoզqյjԼLՕOՍUՏSᎪAᏴBᏟCᎠDᎬEᏀGᎻHᎫJᏦKᏞLᎷMᏢPᏒRᏚSᎢTᏙVᎳWᏃZ' +
  'ɑaƅbɡgɩiıiǀlɴnʀrᴄcᴏoᴠvᴡwᴢz';

const LATIN_OF: ReadonlyMap<string, string> = toPairs(PAIRS);

/** One word, and how it is doubtful, as a sentence that shows its letters. */
interface Doubtful {
  readonly word: string;
  readonly warning: string;
}

/** Each doubtful word or sign of a text once. */
export function findLookAlikes(text: string): readonly Doubtful[] {
  if (!BEYOND_ASCII.test(text)) return [];
  const words = new Set(text.match(WORD));
  const signs = new Set(text.match(SIGN));
  return [...[...words].flatMap(judgeWord), ...[...signs].flatMap(judgeSign)];
}

function judgeWord(word: string): readonly Doubtful[] {
  if (!BEYOND_ASCII.test(word)) return [];
  if (LATIN.test(word) && FOREIGN.test(word)) {
    return [{ word, warning: `A word mixes letters that look alike: ${spellOut(word, FOREIGN)}` }];
  }
  const plain = Array.from(word, toPlain).join('');
  if (ASCII_WORD.test(plain)) {
    const spelled = spellOut(word, BEYOND_ASCII);
    return [{ word, warning: `A word looks like "${plain}" but has other letters: ${spelled}` }];
  }
  if (!FOREIGN_DIGIT.test(word)) return [];
  return [
    { word, warning: `A number has other digits than 0 to 9: ${spellOut(word, FOREIGN_DIGIT)}` },
  ];
}

function judgeSign(sign: string): readonly Doubtful[] {
  const plain = sign.normalize('NFKC');
  if (!ASCII_SIGN.test(plain)) return [];
  return [
    { word: sign, warning: `A sign looks like "${plain}" but is another: ${toMarker(sign)}` },
  ];
}

/** The Latin letter or digit that a reader takes it for; itself where there is none. */
function toPlain(character: string): string {
  if (!/[\p{L}\p{Nd}]/u.test(character)) return character;
  const plain = character.normalize('NFKC');
  return LATIN_OF.get(plain) ?? plain;
}

/** The word with its foreign letters as code points, so that they can be told apart. */
function spellOut(word: string, foreign: RegExp): string {
  const spell = (each: string): string => (foreign.test(each) ? toMarker(each) : showText(each));
  return Array.from(word, spell).join('');
}

function toPairs(text: string): ReadonlyMap<string, string> {
  const letters = Array.from(text);
  return new Map(
    letters.flatMap((letter, index) =>
      index % 2 === 0 ? [[letter, letters[index + 1] ?? letter] as const] : [],
    ),
  );
}
