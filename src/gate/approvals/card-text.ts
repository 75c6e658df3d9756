/**
 * A card as plain text, for terminals and for hosts that show a message. What comes from the call
 * can neither begin a line nor leave its own: names are quoted unless plain, and long lines are
 * broken with a mark.
 */
import type { GrantScope } from '../policy/verdict.ts';
import { isSharedSession } from '../protocol/frame.ts';
import type { ArgumentLine, Card } from './card.ts';
import { digestCard } from './card.ts';
import { ISOLATE, ISOLATE_END } from './show-text.ts';

interface TextOptions {
  /** Columns at which lines are broken. Default: they are not. */
  readonly width?: number;
  /** Where all of them stand, if not here. Default: here. */
  readonly argumentsAt?: string;
  /** Said after everything else; empty for nothing. */
  readonly notice?: string;
}

const PLAIN = /^[\p{L}\p{N}_.:/@~$-]+$/u;
const CONTINUED = '      … ';
const LEAST_WIDTH = 40;
const LABEL_WIDTH = 8;
/** East Asian letters and most signs take two columns; counting too many breaks early, no more. */
const FIRST_WIDE = 0x1100;

export function cardToText(
  card: Card,
  { width, argumentsAt, notice = '' }: TextOptions = {},
): string {
  const { price, title } = card;
  const lines = [
    'May this call run?',
    '',
    field('server', quote(card.server)),
    field('tool', quote(card.tool)),
    ...(title === undefined ? [] : [field('title', `${JSON.stringify(title)}, says the server`)]),
    field('tier', `${card.tier}: ${card.meaning}`),
    field('mode', card.mode),
    ...(price === undefined ? [] : [field('price', toPriceText(price))]),
    field('caller', `${quote(card.principal)}, ${sessionToText(card)}`),
    field('why', card.why),
    ...card.reasons.map((reason) => field('', `- ${reason}`)),
    ...card.warnings.map((warning) => `! ${warning}`),
    '',
    ...(argumentsAt === undefined ? toArgumentTexts(card) : [argumentsAt]),
    '',
    `A yes may cover: ${card.scopes.map((scope) => scopeToText(scope, card)).join('; ')}.`,
    `Arguments sha256 ${card.argumentsDigest}`,
    `Shown     sha256 ${digestCard(card)}`,
    ...(notice === '' ? [] : [notice]),
  ];
  const broken = width === undefined ? lines : lines.flatMap((line) => breakLine(line, width));
  return `${broken.join('\n')}\n`;
}

export function scopeToText(scope: GrantScope, { grantMinutes, session }: Card): string {
  switch (scope) {
    case 'call':
      return 'this call once';
    case 'arguments':
      return `this tool with these arguments for ${grantMinutes} minutes`;
    case 'session':
      return isSharedSession(session)
        ? `this tool for every client of this caller for ${grantMinutes} minutes`
        : `this tool in this session for ${grantMinutes} minutes`;
    case 'lasting':
      return 'this tool from now on, until it gets riskier or is not used for 30 days';
  }
}

/** Where clients cannot be told apart, a yes to one serves them all, and people must know. */
export function sessionToText({ session }: Pick<Card, 'session'>): string {
  return isSharedSession(session)
    ? 'any of its clients: they have no sessions, so a yes serves each of them'
    : `session ${quote(session)}`;
}

function field(label: string, value: string): string {
  return `  ${label.padEnd(LABEL_WIDTH)}${value}`;
}

function toPriceText({ amount, unit, from }: NonNullable<Card['price']>): string {
  return `${quote(amount)} ${quote(unit)}, says ${quote(from)}`;
}

function toArgumentTexts({ arguments: lines }: Card): readonly string[] {
  if (lines.length === 0) return ['No arguments.'];
  // Four spaces make it a block of code where the text is taken for Markdown.
  const texts = lines.map((line) => `    ${toArgumentText(line)}`);
  return ['Arguments, exactly as they will be sent:', '', ...texts];
}

function toArgumentText({ pointer, value }: ArgumentLine): string {
  return `${pointer === '' ? '(all)' : quote(pointer)} = ${value}`;
}

function quote(text: string): string {
  return PLAIN.test(text) ? text : JSON.stringify(text);
}

function breakLine(line: string, width: number): readonly string[] {
  const most = Math.max(width, LEAST_WIDTH);
  const parts: string[] = [];
  let [part, columns, isIsolated] = ['', 0, false];
  for (const character of line) {
    const wide = (character.codePointAt(0) ?? 0) >= FIRST_WIDE ? 2 : 1;
    if (columns + wide > most) {
      // A line ends every isolate; what follows must be isolated again.
      parts.push(isIsolated ? `${part}${ISOLATE_END}` : part);
      part = isIsolated ? `${CONTINUED}${ISOLATE}` : CONTINUED;
      columns = CONTINUED.length;
    }
    if (character === ISOLATE) isIsolated = true;
    if (character === ISOLATE_END) isIsolated = false;
    part += character;
    columns += wide;
  }
  return [...parts, part];
}
