/** A desk: one person at a terminal, who is shown a card and answers it. The answer is theirs alone. */
import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import type { Approval } from '../gate/approve/approval.ts';
import type { Approvals } from '../gate/approve/approvals.ts';
import { showText } from '../gate/approve/show-text.ts';
import { cardToText, scopeToText } from '../gate/approve/to-text.ts';
import type { GrantScope } from '../gate/decide/verdict.ts';
import { CliError } from './cli-error.ts';

export interface ApproveFlags {
  readonly ledger?: string;
  readonly list?: true;
  readonly json?: true;
  readonly yes?: true;
  readonly no?: true;
  readonly display?: string;
  readonly grant: GrantScope;
  readonly as?: string;
  readonly watch?: true;
}

/** Where the person sits. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly output: NodeJS.WritableStream & { readonly columns?: number };
}

export interface Desk {
  readonly approvals: Approvals;
  readonly flags: ApproveFlags;
  readonly terminal: Terminal;
}

export const EXIT = { done: 0, declined: 1, nothing: 3 } as const;

export type Exit = (typeof EXIT)[keyof typeof EXIT];

/** At a terminal only: what is typed there was typed by somebody who had the card before them. */
export async function askAbout(desk: Desk, approval: Approval): Promise<Exit> {
  const { flags, terminal } = desk;
  const { card, id } = approval;
  if (card === undefined) throw new CliError(`question ${id} is no longer open`);
  const { input, output } = terminal;
  const width = output.columns === undefined ? {} : { width: output.columns };
  output.write(`\n${cardToText(card, width)}Question ${id}\n`);
  if (!input.isTTY) {
    throw new CliError('there is no terminal to ask at: give --no, or --yes with --display');
  }
  const words = await readAnswer(terminal, scopeToText(flags.grant, card));
  if (words === 'yes') return decide(desk, approval, 'approve');
  if (words === 'no') return decide(desk, approval, 'decline');
  output.write('left open\n');
  return EXIT.declined;
}

async function readAnswer({ input, output }: Terminal, covers: string): Promise<string> {
  const lines = createInterface({ input, output });
  const { promise: closed, resolve } = Promise.withResolvers<string>();
  lines.once('close', () => resolve(''));
  // The line editor takes Ctrl-C for itself.
  lines.once('SIGINT', () => process.kill(process.pid, 'SIGINT'));
  const question = `Type the word "yes" to approve ${covers}, "no" to decline: `;
  try {
    return (await Promise.race([lines.question(question).catch(() => ''), closed])).trim();
  } finally {
    lines.close();
  }
}

/** Without a look at the card here; a yes needs proof of a look elsewhere. */
export async function decideUnseen(desk: Desk, approval: Approval): Promise<Exit> {
  const { yes, display = '' } = desk.flags;
  if (yes && !approval.display.startsWith(display.toLowerCase())) {
    throw new CliError(`question ${approval.id} shows something else than ${showText(display)}`);
  }
  return decide(desk, approval, yes ? 'approve' : 'decline');
}

async function decide(
  { approvals, flags, terminal }: Desk,
  { id, display }: Approval,
  kind: 'approve' | 'decline',
): Promise<Exit> {
  const approver = flags.as ?? userInfo().username;
  const grant = flags.grant;
  const end = await approvals.answer(id, { kind, approver, channel: 'terminal', display, grant });
  if (end.kind === 'refused') throw new CliError(`question ${id} stays as it is: ${end.detail}`);
  terminal.output.write(`${kind === 'approve' ? 'approved' : 'declined'} ${id} as ${approver}\n`);
  return kind === 'approve' ? EXIT.done : EXIT.declined;
}
