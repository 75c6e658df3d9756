/**
 * A card as plain text, for terminals and for hosts that show a message. What comes from the call
 * can neither begin a line nor leave its own: names are quoted unless plain, and long lines are
 * broken with a mark. Prose breaks at spaces; names and arguments stay exact.
 */
import type { GrantScope } from '../policy/verdict.ts';
import { isSharedSession } from '../protocol/frame.ts';
import type { ArgumentLine, Card } from './card.ts';
import { digestCard } from './card.ts';
import { breakLine } from './break-line.ts';
import { countOf } from '../../lib/count-of.ts';

interface TextOptions {
  /** Columns at which lines are broken. Default: they are not. */
  readonly width?: number;
  /** Where all of them stand, if not here. Default: here. */
  readonly argumentsAt?: string;
  /** Said after everything else; empty for nothing. */
  readonly notice?: string;
}

const PLAIN = /^[\p{L}\p{N}_.:/@~$-]+$/u;
const LABEL_WIDTH = 8;

export function cardToText(
  card: Card,
  { width, argumentsAt, notice = '' }: TextOptions = {},
): string {
  const { price, title } = card;
  const call = argumentsAt === undefined ? toArgumentTexts(card) : [prose(argumentsAt)];
  const lines: readonly Line[] = [
    prose('May this call run?'),
    prose(''),
    literal(field('server', quote(card.server))),
    literal(field('tool', quote(card.tool))),
    ...(title === undefined
      ? []
      : [literal(field('title', `${JSON.stringify(title)}, says the server`))]),
    prose(field('tier', `${card.tier}: ${card.meaning}`)),
    prose(field('mode', card.mode)),
    ...(price === undefined ? [] : [literal(field('price', toPriceText(price)))]),
    toCallerLine(card),
    prose(field('why', card.why)),
    ...card.reasons.map((reason) => prose(field('', `- ${reason}`))),
    ...card.warnings.map((warning) => prose(`! ${warning}`)),
    prose(''),
    ...call,
    prose(''),
    prose(`A yes may cover: ${card.scopes.map((scope) => scopeToText(scope, card)).join('; ')}.`),
    literal(`Arguments sha256 ${card.argumentsDigest}`),
    literal(`Shown     sha256 ${digestCard(card)}`),
    ...(notice === '' ? [] : [prose(notice)]),
  ];
  const texts = lines.flatMap(({ kind, text }) =>
    width === undefined ? [text] : breakLine(text, width, kind),
  );
  return `${texts.join('\n')}\n`;
}

interface Line {
  readonly kind: 'prose' | 'literal';
  readonly text: string;
}

function prose(text: string): Line {
  return { kind: 'prose', text };
}

function literal(text: string): Line {
  return { kind: 'literal', text };
}

/** Prose where it has no session to name: a plain name has no spaces that could be lost. */
function toCallerLine(card: Card): Line {
  const text = field('caller', `${quote(card.principal)}, ${sessionToText(card)}`);
  return PLAIN.test(card.principal) && isSharedSession(card.session) ? prose(text) : literal(text);
}

export function scopeToText(scope: GrantScope, { grantMinutes, session }: Card): string {
  switch (scope) {
    case 'call':
      return 'this call once';
    case 'arguments':
      return `this tool with these arguments for ${countOf(grantMinutes, 'minute')}`;
    case 'session':
      return isSharedSession(session)
        ? `this tool for every client of this caller for ${countOf(grantMinutes, 'minute')}`
        : `this tool in this session for ${countOf(grantMinutes, 'minute')}`;
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

function toArgumentTexts({ arguments: lines }: Card): readonly Line[] {
  if (lines.length === 0) return [prose('No arguments.')];
  // Four spaces make it a block of code where the text is taken for Markdown.
  const texts = lines.map((line) => literal(`    ${toArgumentText(line)}`));
  return [prose('Arguments, exactly as they will be sent:'), prose(''), ...texts];
}

function toArgumentText({ pointer, value }: ArgumentLine): string {
  return `${pointer === '' ? '(all)' : quote(pointer)} = ${value}`;
}

function quote(text: string): string {
  return PLAIN.test(text) ? text : JSON.stringify(text);
}
