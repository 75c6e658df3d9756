/**
 * `plimsoll approve`: puts the questions of the gate before a person at a terminal. Without one, it
 * says yes only to what the caller proves to have seen.
 */
import { userInfo } from 'node:os';
import { createInterface } from 'node:readline/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { Command, Option } from 'commander';
import type { Approval } from '../gate/approvals/approval.ts';
import type { Approvals } from '../gate/approvals/approvals.ts';
import { openApprovals } from '../gate/approvals/approvals.ts';
import { cardToText, scopeToText } from '../gate/approvals/card-text.ts';
import { showText } from '../gate/approvals/show-text.ts';
import type { GrantScope } from '../gate/policy/verdict.ts';
import { defaultLedgerAddress } from '../ledger/default-address.ts';
import { CliError } from './cli-error.ts';
import { LEDGER_OPTION, withStore } from './ledger-access.ts';
import { untilStopped } from './until-stopped.ts';

const POLL_MS = 500;
/** Of ids and digests, so that people can type them. */
const LEAST_PREFIX = 8;

const EXAMPLES = `
Exit codes: 0 approved or listed, 1 declined or left open, 2 error, 3 nothing pending.

Examples:
  plimsoll approve                      asks about everything that waits
  plimsoll approve --watch              and goes on with what comes
  plimsoll approve --list --json
  plimsoll approve 5c1f09aa --no
  plimsoll approve 5c1f09aa --yes --display 8d0e11c2 --grant arguments`;

export function approveCommand(
  terminal: Terminal = { input: process.stdin, output: process.stdout },
): Command {
  return new Command('approve')
    .description('say yes or no to calls that wait for a person')
    .argument('[id]', 'the question, or the first 8 characters of it at least')
    .option(LEDGER_OPTION[0], `${LEDGER_OPTION[1]} (default: the ledger of this user)`)
    .option('--list', 'only list what waits')
    .option('--json', 'list as JSON, with the whole cards')
    .addOption(new Option('--yes', 'approve; needs --display').conflicts('no'))
    .option('--no', 'decline')
    .option(
      '--display <hex>',
      'the first 8 characters at least of the digest of what you were shown',
    )
    .addOption(
      new Option('--grant <scope>', 'what a yes covers')
        .choices(['call', 'arguments', 'session'])
        .default('call'),
    )
    .option('--as <name>', 'who answers (default: who is logged in)')
    .option('--watch', 'go on with what comes, until stopped')
    .addHelpText('after', EXAMPLES)
    .action((id: string | undefined, flags: ApproveFlags) => run(id, flags, terminal));
}

async function run(id: string | undefined, flags: ApproveFlags, terminal: Terminal): Promise<void> {
  const isPlain = flags.yes === undefined && flags.no === undefined;
  if (!isPlain && id === undefined) throw new CliError('--yes and --no need the id of a question');
  if (flags.yes && (flags.display?.length ?? 0) < LEAST_PREFIX) {
    throw new CliError('--yes needs --display, the digest that was shown with the question');
  }
  const address = flags.ledger ?? defaultLedgerAddress();
  process.exitCode = await withStore(address, async (store) => {
    const desk = { approvals: openApprovals(store), flags, terminal };
    if (id === undefined) return flags.watch ? watch(desk) : askAboutAll(desk);
    const approval = await findPending(desk.approvals, id);
    if (!isPlain) return decideUnseen(desk, approval);
    return flags.list || flags.json ? list(desk, [approval]) : askAbout(desk, approval);
  });
}

async function askAboutAll(desk: Desk): Promise<Exit> {
  const pending = await desk.approvals.listPending();
  if (pending.length === 0) process.stderr.write('nothing waits for an answer\n');
  if (isListing(desk)) return list(desk, pending);
  let exit: Exit = pending.length === 0 ? EXIT.nothing : EXIT.done;
  for (const approval of pending) {
    if ((await askOneOf(desk, approval)) === EXIT.declined) exit = EXIT.declined;
  }
  return exit;
}

async function watch(desk: Desk): Promise<Exit> {
  const seen = new Set<string>();
  const stopped = untilStopped().then(() => 'stopped' as const);
  do {
    for (const approval of await desk.approvals.listPending()) {
      if (seen.has(approval.id)) continue;
      seen.add(approval.id);
      if (isListing(desk)) list(desk, [approval]);
      else if ((await Promise.race([stopped, askOneOf(desk, approval)])) === 'stopped') break;
    }
  } while ((await Promise.race([stopped, wait(POLL_MS)])) !== 'stopped');
  return EXIT.done;
}

/** One that is answered elsewhere meanwhile, or too late, does not end the round. */
async function askOneOf(desk: Desk, approval: Approval): Promise<Exit> {
  try {
    return await askAbout(desk, approval);
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    process.stderr.write(`plimsoll: ${error.message}\n`);
    return EXIT.declined;
  }
}

function isListing({ flags, terminal }: Desk): boolean {
  return flags.list === true || flags.json === true || !terminal.input.isTTY;
}

function list({ flags, terminal }: Desk, pending: readonly Approval[]): Exit {
  const text = flags.json && !flags.watch ? `${JSON.stringify(pending, null, 2)}\n` : '';
  const toText = flags.json ? (each: Approval) => `${JSON.stringify(each)}\n` : toLine;
  terminal.output.write(text === '' ? pending.map(toText).join('') : text);
  return pending.length === 0 ? EXIT.nothing : EXIT.done;
}

function toLine({ id, binding, display, expiresAt }: Approval): string {
  const { server, tool, tier, principal } = binding;
  const until = new Date(expiresAt).toISOString();
  const what = showText(`${server} ${tool}  ${tier}  by ${principal}`);
  return `${id}  ${what}  until ${until}  display ${display.slice(0, LEAST_PREFIX)}\n`;
}

async function findPending(approvals: Approvals, id: string): Promise<Approval> {
  const exact = await approvals.find(id);
  if (exact !== undefined) return exact;
  const pending = id.length < LEAST_PREFIX ? [] : await approvals.listPending();
  const [found, another] = pending.filter((each) => each.id.startsWith(id));
  if (found !== undefined && another === undefined) return found;
  throw new CliError(
    `there is no one question ${showText(id)}; plimsoll approve --list shows them`,
  );
}

/** A desk: one person at a terminal, who is shown a card and answers it. The answer is theirs alone. */
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
