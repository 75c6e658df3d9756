/**
 * Compares everything that a model reads in two definitions: titles, descriptions, and the words inside
 * the schemas. New words that order the model about, or that nobody can see, are a risk; others are not.
 */
import { inferEffect } from '../../effect/infer/infer-effect.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import type { JsonRecord } from './tool-definition.ts';
import { own } from './tool-definition.ts';
import type { DriftChange } from './drift-change.ts';
import { quote, toPointer } from './drift-change.ts';

/** Text behind this is not looked at when a tool is read. */
const READ_LENGTH = 4000;
const OVERLAP = 400;
const LONG_NAME = 40;

const WORDED = ['title', 'description', 'annotations', 'inputSchema', 'outputSchema'];

/** Speaks to the model about what it must do, not about what the tool does. */
const ORDERS: readonly RegExp[] = [
  /\b(?:you|the (?:assistant|model|agent|ai|llm)) (?:must|should|shall|have to|has to|needs? to|will always)\b/i,
  /\balways (?:first )?(?:call|use|include|pass|send|add|run|read|append|forward|copy|invoke|attach|prefer|bcc|cc|set)\b/i,
  /\bnever (?:tell|mention|show|ask|reveal|inform|call|use|warn|disclose)\b/i,
  /\b(?:before|after|when|whenever) (?:using|calling|invoking|answering|you|any other|every other)\b/i,
  /\bdo(?: not|n't) (?:ask|tell|mention|show|warn|use|call|inform|notify|reveal|disclose|confirm)\b/i,
  /\b(?:important|attention|mandatory|critical|system)\s*[:!]/i,
  /\b(?:first|then|next|finally),? (?:call|read|run|use|send|fetch|open|invoke)\b/i,
  /\bmust (?:be called|be used|call|include|pass|send|read|contain|use|run|first)\b/i,
  /\b(?:instead of|rather than|in place of) (?:the |any |using )?(?:other|\w+ tool)/i,
  /\b(?:make sure|be sure|ensure that|remember to|it is (?:crucial|essential|required))\b/i,
  /^(?:call|send|forward|copy|upload|include|append|read|pass|post|exfiltrate|ignore|disregard|pretend|act)\b[^.]{0,80}\b(?:conversation|chat|user|secret|password|token|key|context|history|prompt|instructions?|file|system)\b/i,
];

/** Format characters, tags and lone controls; a joiner inside an emoji is what everybody sees. */
const HIDDEN =
  /(?:(?<!\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u{fe0f})\u{200d}|(?!\u{200d})\p{Cf}|(?![\t\n\r])\p{Cc})/gu;

export function compareTexts(before: JsonRecord, after: JsonRecord): readonly DriftChange[] {
  const old = textsOf(before);
  const now = textsOf(after);
  const known: Known = {
    texts: new Set(old.values()),
    sentences: new Set([...old.values()].flatMap(toSentences)),
  };
  const kept = new Set([...now.values()].flatMap(toSentences));
  const changes: DriftChange[] = [];
  for (const [pointer, text] of now) {
    const was = old.get(pointer);
    if (was !== text) changes.push(...judge(pointer, was ?? '', text, known));
  }
  const freed = [...known.sentences].some((sentence) => !kept.has(sentence) && orders(sentence));
  if (freed && changes.every(({ direction }) => direction === 'neutral')) {
    const text = 'words that told the model what to do are gone';
    changes.push({ code: 'instructions', direction: 'safer', pointer: '/description', text });
  }
  return changes;
}

/** What stood anywhere in the accepted definition; moving it about adds nothing. */
interface Known {
  readonly texts: ReadonlySet<string>;
  readonly sentences: ReadonlySet<string>;
}

function judge(pointer: string, before: string, after: string, known: Known): DriftChange[] {
  const changes: DriftChange[] = [];
  const riskier = (code: DriftChange['code'], text: string): void => {
    changes.push({ code, direction: 'riskier', pointer, text });
  };
  const isNew = !known.texts.has(after);
  const order = toSentences(after).find((part) => !known.sentences.has(part) && orders(part));
  if (order !== undefined)
    riskier('instructions', `it tells the model what to do: ${quote(order)}`);
  else if (isNew && instructs(after) && !instructs(before))
    riskier('instructions', 'it gives the model instructions that are not about the tool');
  const hidden = hiddenIn(after);
  if (isNew && hidden !== '' && hidden !== hiddenIn(before))
    riskier('hidden-text', 'it holds characters that nobody sees');
  if (isNew && after.length > READ_LENGTH)
    riskier('long-text', 'it is longer than what is read of it');
  if (changes.length === 0 && isProse(pointer))
    changes.push({
      code: 'wording',
      direction: 'neutral',
      pointer,
      text: describeProse(pointer),
    });
  return changes;
}

/** Other strings of a schema are searched, but what they mean is compared elsewhere. */
function isProse(pointer: string): boolean {
  return pointer.endsWith('/title') || pointer.endsWith('/description');
}

function describeProse(pointer: string): string {
  const what = pointer.endsWith('/title') ? 'title' : 'description';
  const [, part = what] = pointer.split('/');
  return part === what ? `the ${what} changed` : `a ${what} in ${part} changed`;
}

function hiddenIn(text: string): string {
  return (text.match(HIDDEN) ?? []).join('');
}

function orders(sentence: string): boolean {
  return instructs(sentence) || ORDERS.some((pattern) => pattern.test(sentence));
}

function instructs(text: string): boolean {
  for (let at = 0; at === 0 || at < text.length; at += READ_LENGTH - OVERLAP) {
    const { reasons } = inferEffect({
      name: 'get_item',
      description: text.slice(at, at + READ_LENGTH),
    });
    if (reasons.some(({ code }) => code === 'instructs-the-model')) return true;
  }
  return false;
}

/** Folded, so that letter case, odd letters and spacing make no new sentence. */
function toSentences(text: string): readonly string[] {
  return text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .split(/(?<=[.!?;])\s+|[\r\n]+/)
    .map((sentence) => sentence.trim().replaceAll(/\s+/g, ' '))
    .filter((sentence) => sentence !== '');
}

/** Every text of a definition by its pointer. A long name of a property is a text, too. */
function textsOf(definition: JsonRecord): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  const collect = (value: JsonValue, pointer: string): void => {
    if (typeof value === 'string') return void texts.set(pointer, value);
    for (const [key, part] of Object.entries(value ?? {}) as [string, JsonValue][]) {
      const at = pointer + toPointer(key);
      if (key.length > LONG_NAME) texts.set(`${at}#`, key.replaceAll(/[_-]+/g, ' '));
      collect(part, at);
    }
  };
  for (const key of WORDED) collect(own(definition, key) ?? null, toPointer(key));
  return texts;
}
