/**
 * A card as plain text, for terminals and for hosts that show a message. What comes from the call
 * can neither begin a line nor leave its own: names are quoted unless plain, and long lines are
 * broken with a mark.
 */
import type { GrantScope } from '../policy/verdict.ts';
import type { ArgumentLine } from './argument-lines.ts';
import type { Card } from './card.ts';
import { digestCard } from './card.ts';

interface TextOptions {
  /** Columns at which lines are broken. Default: they are not. */
  readonly width?: number;
}

const PLAIN = /^[\p{L}\p{N}_.:/@~$-]+$/u;
const CONTINUED = '      … ';
const LEAST_WIDTH = 40;
const LABEL_WIDTH = 8;
/** East Asian letters and most signs take two columns; counting too many breaks early, no more. */
const FIRST_WIDE = 0x1100;

export function cardToText(card: Card, { width }: TextOptions = {}): string {
  const { price, title } = card;
  const caller = `${quote(card.principal)}, session ${quote(card.session)}`;
  const lines = [
    'May this call run?',
    '',
    field('server', quote(card.server)),
    field('tool', quote(card.tool)),
    ...(title === undefined ? [] : [field('title', `${JSON.stringify(title)}, says the server`)]),
    field('tier', `${card.tier}: ${card.meaning}`),
    field('mode', card.mode),
    ...(price === undefined ? [] : [field('price', toPriceText(price))]),
    field('caller', caller),
    field('why', card.why),
    ...card.reasons.map((reason) => field('', `- ${reason}`)),
    ...card.warnings.map((warning) => `! ${warning}`),
    '',
    card.arguments.length === 0 ? 'No arguments.' : 'Arguments, exactly as they will be sent:',
    '',
    // Four spaces make it a block of code where the text is taken for Markdown.
    ...card.arguments.map((line) => `    ${toArgumentText(line)}`),
    '',
    `A yes may cover: ${card.scopes.map((scope) => scopeToText(scope, card)).join('; ')}.`,
    `Arguments sha256 ${card.argumentsDigest}`,
    `Shown     sha256 ${digestCard(card)}`,
  ];
  const broken = width === undefined ? lines : lines.flatMap((line) => breakLine(line, width));
  return `${broken.join('\n')}\n`;
}

export function scopeToText(scope: GrantScope, { grantMinutes }: Card): string {
  switch (scope) {
    case 'call':
      return 'this call once';
    case 'arguments':
      return `this tool with these arguments for ${grantMinutes} minutes`;
    case 'session':
      return `this tool in this session for ${grantMinutes} minutes`;
  }
}

function field(label: string, value: string): string {
  return `  ${label.padEnd(LABEL_WIDTH)}${value}`;
}

function toPriceText({ amount, unit, from }: NonNullable<Card['price']>): string {
  return `${quote(amount)} ${quote(unit)}, says ${quote(from)}`;
}

function toArgumentText({ pointer, value, cut }: ArgumentLine): string {
  const name = pointer === '' ? '(all)' : quote(pointer);
  if (cut === undefined) return `${name} = ${value}`;
  const gap = `… ${cut.omittedBytes} bytes left out …`;
  return `${name} = ${value} ${gap} ${cut.tail} (sha256 of the whole: ${cut.sha256})`;
}

function quote(text: string): string {
  return PLAIN.test(text) ? text : JSON.stringify(text);
}

function breakLine(line: string, width: number): readonly string[] {
  const most = Math.max(width, LEAST_WIDTH);
  const parts: string[] = [];
  let [part, columns] = ['', 0];
  for (const character of line) {
    const wide = (character.codePointAt(0) ?? 0) >= FIRST_WIDE ? 2 : 1;
    if (columns + wide > most) {
      parts.push(part);
      [part, columns] = [CONTINUED, CONTINUED.length];
    }
    part += character;
    columns += wide;
  }
  return [...parts, part];
}
