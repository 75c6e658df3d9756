/** One person at a terminal, who is shown a card and answers it. Nobody else can give the answer. */
import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import type { Approval } from '../gate/approvals/approval.ts';
import { callerState, describeState, toShortId } from '../gate/approvals/approval.ts';
import type { CallerState } from '../gate/approvals/approval.ts';
import type { Approvals } from '../gate/approvals/approvals.ts';
import { describeChannels } from '../gate/approvals/approval-machine.ts';
import { CHANNEL_LIMITS, sizeOfLines } from '../gate/approvals/card.ts';
import type { Card } from '../gate/approvals/card.ts';
import { breakLine } from '../gate/approvals/break-line.ts';
import { cardToText, scopeToText } from '../gate/approvals/card-text.ts';
import { showText } from '../gate/approvals/show-text.ts';
import { toApproveCommand } from '../gate/approvals/waiting-text.ts';
import type { GrantScope } from '../gate/policy/verdict.ts';
import { CliError } from './cli-error.ts';

export interface ApproveFlags {
  readonly ledger?: string;
  readonly list?: true;
  readonly json?: true;
  readonly yes?: true;
  readonly no?: true;
  readonly display?: string;
  readonly grant?: GrantScope;
  /** With a no: what the agent is told. */
  readonly reason?: string;
  readonly as?: string;
  readonly watch?: true;
}

/** The person's terminal. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly columns?: number };
}

export interface Desk {
  readonly approvals: Approvals;
  readonly flags: ApproveFlags;
  readonly terminal: Terminal;
  /** How a command names this ledger, where it is not the default one. */
  readonly ledgerHint?: string | undefined;
  /** When a person wants no more questions. */
  readonly stopped?: Promise<unknown> | undefined;
}

export const EXIT = { done: 0, declined: 1, nothing: 3 } as const;

export type Exit = (typeof EXIT)[keyof typeof EXIT];

const CALLER_NOTICES: Readonly<Record<CallerState, string>> = Object.freeze({
  held: '',
  away: 'The caller was told to send the call again. If you approve, the call runs when it does.',
  gone: 'The caller has disconnected. If you approve, the call runs when it is sent again.',
});

/** At a terminal only: whoever types the answer there has seen the card. */
export async function askAbout(desk: Desk, approval: Approval): Promise<Exit> {
  const { flags, terminal } = desk;
  const { card, id } = approval;
  if (card === undefined) throw new CliError(toEndText(approval));
  const { input, output } = terminal;
  // A terminal whose size nobody has set has 0 columns.
  const width: { readonly width?: number } =
    output.columns === undefined ? {} : { width: output.columns || 80 };
  const notice = CALLER_NOTICES[callerState(approval, Date.now())];
  const argumentsAt = fitsTerminal(card) ? {} : { argumentsAt: TOO_LONG };
  const text = cardToText(card, { ...width, ...argumentsAt, notice });
  output.write(`\n${text}Question ${id}\n`);
  if (!card.channels.includes('terminal')) {
    throw new CliError(
      `question ${toShortId(id)} cannot be answered here. ${describeChannels(card.channels)}`,
    );
  }
  if (!input.isTTY) {
    throw new CliError('there is no terminal to ask at: pass --no, or --yes with --display');
  }
  const prompt = toPrompt(flags.grant, card, approval.binding.session).flatMap((line) =>
    width.width === undefined ? [line] : breakLine(line, width.width, 'prose'),
  );
  // The line editor draws the last line again and again, and gets that one only.
  output.write(
    prompt
      .slice(0, -1)
      .map((line) => `${line}\n`)
      .join(''),
  );
  let line = prompt.at(-1) ?? '';
  for (;;) {
    const words = await readAnswer(desk, id, line);
    if (typeof words !== 'string') {
      output.write(`\n${toEndText(words)}; no answer needed\n`);
      return words.state === 'APPROVED' || words.state === 'USED' ? EXIT.done : EXIT.declined;
    }
    if (words === '') {
      output.write(
        `Still open; answer with: ${toApproveCommand(toShortId(id), desk.ledgerHint)}\n`,
      );
      return EXIT.declined;
    }
    const said = readWords(words, flags, card);
    if (said !== undefined) return decide(desk, approval, said);
    line = UNREAD;
  }
}

const UNREAD = 'Not answered: type yes or no in full, or nothing to leave it open: ';

interface Said {
  readonly kind: 'approve' | 'decline';
  readonly grant?: GrantScope;
  readonly reason?: string;
}

/** Only the word itself is a yes, with the name of what it covers; a no may have a reason after it. */
function readWords(words: string, flags: ApproveFlags, card: Card): Said | undefined {
  const { grant: usual = 'call', reason: usualReason = '' } = flags;
  if (words === 'yes') return { kind: 'approve', grant: usual };
  const [, scope] = /^yes (\w+)$/.exec(words) ?? [];
  const grant = card.scopes.find((each) => each === scope);
  if (grant !== undefined) return { kind: 'approve', grant };
  const [, reason] = /^no(?:[ ,:]+(.*))?$/s.exec(words) ?? [undefined, undefined];
  if (words === 'no' || reason !== undefined) {
    return { kind: 'decline', reason: reason ?? usualReason };
  }
  return undefined;
}

function toPrompt(usual: GrantScope = 'call', card: Card, session: string): readonly string[] {
  const wider = card.scopes.filter(
    (scope) => scope !== usual && (scope !== 'session' || session !== ''),
  );
  return [
    `Type the word "yes" to approve ${scopeToText(usual, card)},`,
    ...wider.map((scope) => `  "yes ${scope}" for ${scopeToText(scope, card)},`),
    '  "no" or "no REASON" to decline: ',
  ];
}

const TOO_LONG = 'The arguments are too long for a terminal.';

function fitsTerminal({ arguments: lines }: Card): boolean {
  return sizeOfLines(lines) <= CHANNEL_LIMITS.terminal;
}

/** What was typed, or the question itself if it ended first. */
async function readAnswer(
  { approvals, stopped, terminal: { input, output } }: Desk,
  id: string,
  question: string,
): Promise<string | Approval> {
  const lines = createInterface({ input, output });
  const { promise: ended, resolve } = Promise.withResolvers<string | Approval>();
  lines.once('close', () => resolve(''));
  // The line editor handles Ctrl-C itself.
  lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  void stopped?.then(() => resolve(''));
  const unwatch = approvals.watch(id, resolve);
  try {
    const words = await Promise.race([lines.question(question).catch(() => ''), ended]);
    return typeof words === 'string' ? words.trim() : words;
  } finally {
    unwatch();
    lines.close();
  }
}

/** Decides without showing the card; approving requires proof that it was shown elsewhere. */
export async function decideUnseen(desk: Desk, approval: Approval): Promise<Exit> {
  const { yes, display = '' } = desk.flags;
  if (yes && !approval.display.startsWith(display.toLowerCase())) {
    throw new CliError(
      `${showText(display)} is not the digest of question ${approval.id}, so nothing was decided; \`plimsoll approve ${toShortId(approval.id)}\` shows the card and its digest`,
    );
  }
  const { grant = 'call', reason = '' } = desk.flags;
  return decide(desk, approval, yes ? { kind: 'approve', grant } : { kind: 'decline', reason });
}

async function decide(
  { approvals, flags, terminal }: Desk,
  { id, display }: Approval,
  { kind, ...said }: Said,
): Promise<Exit> {
  const approver = flags.as ?? userInfo().username;
  const given = { kind, approver, channel: 'terminal', display, ...said } as const;
  const end = await approvals.answer(id, given);
  if (end.kind === 'refused') {
    throw new CliError(`the answer to question ${toShortId(id)} was not accepted: ${end.detail}`);
  }
  const decision = kind === 'approve' ? 'approved' : 'declined';
  const asJson = JSON.stringify({ id, decision, approver });
  terminal.output.write(`${flags.json ? asJson : `${decision} ${id} as ${approver}`}\n`);
  return kind === 'approve' ? EXIT.done : EXIT.declined;
}

export function toEndText(approval: Approval): string {
  const state = approval.state === 'PENDING' ? 'expired' : describeState(approval);
  return `question ${toShortId(approval.id)} was ${state}`;
}
