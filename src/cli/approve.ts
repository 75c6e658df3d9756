/**
 * `plimsoll approve`: shows the gate's waiting questions to a person at a terminal. Without a terminal,
 * it approves only with proof that the card was shown elsewhere.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { Command, Option } from 'commander';
import type { Approval } from '../gate/approvals/approval.ts';
import { callerState, groupQuestions } from '../gate/approvals/approval.ts';
import type { Approvals } from '../gate/approvals/approvals.ts';
import { openApprovals } from '../gate/approvals/approvals.ts';
import { showText } from '../gate/approvals/show-text.ts';
import { toLedgerHint } from '../gate/approvals/waiting-text.ts';
import { GRANT_SCOPES } from '../gate/policy/verdict.ts';
import { defaultLedgerAddress } from '../ledger/default-address.ts';
import type { ApproveFlags, Desk, Exit, Terminal } from './answer-at-terminal.ts';
import { askAbout, decideUnseen, EXIT, toEndText } from './answer-at-terminal.ts';
import { CliError } from './cli-error.ts';
import { isLedger, LEDGER_OPTION, toLedgerAddress, withStore } from './ledger-access.ts';
import { untilStopped } from './until-stopped.ts';

const POLL_MS = 500;
/** Short enough to type. */
const LEAST_ID = 6;
const LEAST_DISPLAY = 8;

const EXAMPLES = `
Exit codes: 0 approved or listed, 1 declined or left open, 2 error, 3 nothing waiting.

Examples:
  plimsoll approve                      asks about everything that is waiting
  plimsoll approve --watch              and keeps asking about new calls
  plimsoll approve --list --json
  plimsoll approve 5c1f09aa --no --reason 'archive it instead'
  plimsoll approve 5c1f09aa --yes --display 8d0e11c2 --grant arguments`;

export function approveCommand(
  terminal: Terminal = { input: process.stdin, output: process.stdout },
): Command {
  return new Command('approve')
    .description('approve or decline calls that wait for a person')
    .argument('[id]', `the question's id, or at least its first ${LEAST_ID} characters`)
    .option(...LEDGER_OPTION)
    .option('--list', 'only list waiting questions')
    .option('--json', 'print JSON: whole cards, or the decision')
    .addOption(new Option('--yes', 'approve; needs --display').conflicts('no'))
    .option('--no', 'decline')
    .option(
      '--display <hex>',
      'at least the first 8 characters of the digest of what you were shown',
    )
    .addOption(
      new Option('--grant <scope>', 'what an approval covers (default: the call)').choices(
        GRANT_SCOPES,
      ),
    )
    .option('--reason <text>', 'with --no: what the agent is told')
    .option('--as <name>', 'who answers (default: the current user)')
    .option('--watch', 'keep asking about new questions, until stopped')
    .addHelpText('after', EXAMPLES)
    .action((id: string | undefined, flags: ApproveFlags) => run(id, flags, terminal));
}

async function run(id: string | undefined, flags: ApproveFlags, terminal: Terminal): Promise<void> {
  const isPlain = flags.yes === undefined && flags.no === undefined;
  if (!isPlain && id === undefined)
    throw new CliError('--yes and --no require the id of a question');
  if (flags.yes && (flags.display?.length ?? 0) < LEAST_DISPLAY) {
    throw new CliError('--yes requires --display, the digest that `plimsoll approve ID` shows');
  }
  const isWatch = flags.watch === true && id === undefined;
  const stopped = isWatch ? untilStopped().then(() => 'stopped' as const) : undefined;
  if (stopped !== undefined) {
    if (flags.json !== true) process.stderr.write('Waiting for calls that ask. Ctrl-C stops.\n');
    if (flags.ledger === undefined && (await untilOwnLedger(stopped)) === 'stopped') return;
  }
  const ledgerHint = await findHint(flags.ledger);
  process.exitCode = await withStore(flags.ledger, async (store) => {
    const desk = { approvals: openApprovals(store), flags, terminal, ledgerHint, stopped };
    if (stopped !== undefined) return watch(desk, stopped);
    if (id === undefined) return askAboutAll(desk);
    const approval = await findOpen(desk.approvals, id);
    if (!isPlain) return decideUnseen(desk, approval);
    return flags.list || flags.json ? list(desk, [approval]) : askAbout(desk, approval);
  });
}

async function askAboutAll(desk: Desk): Promise<Exit> {
  const pending = await desk.approvals.listPending();
  if (pending.length === 0) process.stderr.write('nothing is waiting\n');
  if (isListing(desk)) return list(desk, pending);
  let exit: Exit = pending.length === 0 ? EXIT.nothing : EXIT.done;
  const groups = groupQuestions(pending);
  const inTurn = [...groups.flatMap(({ first }) => first), ...groups.flatMap(({ more }) => more)];
  for (const approval of inTurn) {
    if ((await askOneOf(desk, approval)) === EXIT.declined) exit = EXIT.declined;
  }
  return exit;
}

/** Whoever does what wrap says next comes here before the first gate has made the ledger. */
async function untilOwnLedger(stopped: Promise<'stopped'>): Promise<'stopped' | 'there'> {
  while (!(await isLedger(defaultLedgerAddress()))) {
    if ((await Promise.race([stopped, wait(POLL_MS)])) === 'stopped') return 'stopped';
  }
  return 'there';
}

async function findHint(given: string | undefined): Promise<string | undefined> {
  const address = await toLedgerAddress(given);
  return address === defaultLedgerAddress() ? undefined : toLedgerHint(address);
}

async function watch(desk: Desk, stopped: Promise<'stopped'>): Promise<Exit> {
  const seen = new Set<string>();
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

/** A question that is answered elsewhere meanwhile, or expires, does not end the round. */
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
  const lines = flags.json
    ? pending.map((each) => `${JSON.stringify(each)}\n`)
    : groupQuestions(pending).flatMap(({ first, more }) => [
        ...first.map(toLine),
        toMoreLine(more),
      ]);
  terminal.output.write(text === '' ? lines.join('') : text);
  return pending.length === 0 ? EXIT.nothing : EXIT.done;
}

const CALLERS = { held: '', away: '  caller told to send it again', gone: '  caller disconnected' };

function toLine(approval: Approval): string {
  const { id, binding, display, expiresAt } = approval;
  const { server, tool, tier, principal } = binding;
  const until = new Date(expiresAt).toISOString();
  const what = showText(`${server} ${tool}  ${tier}  by ${principal}`);
  const disconnected = CALLERS[callerState(approval, Date.now())];
  return `${id}  ${what}  until ${until}  display ${display.slice(0, LEAST_DISPLAY)}${disconnected}\n`;
}

function toMoreLine(more: readonly Approval[]): string {
  const [first] = more;
  if (first === undefined) return '';
  const { server, tool, principal } = first.binding;
  const what = showText(`${server} ${tool}  by ${principal}`);
  return `and ${more.length} more of ${what}; --json lists them all\n`;
}

async function findOpen(approvals: Approvals, prefix: string): Promise<Approval> {
  const wanted = prefix.toLowerCase();
  if (wanted.length < LEAST_ID) {
    throw new CliError(`enter at least ${LEAST_ID} characters of the question's id`);
  }
  const [found, ...others] = await approvals.findByPrefix(wanted);
  if (found === undefined) {
    throw new CliError(
      `no question has the id ${showText(prefix)}; plimsoll approve --list shows what is waiting`,
    );
  }
  const open = [found, ...others].filter(isOpen);
  if (open.length > 1) {
    const ids = open.map(({ id, binding: { server, tool } }) =>
      showText(`  ${id}  ${server} ${tool}`),
    );
    throw new CliError(
      `${showText(prefix)} matches ${open.length} questions; enter more characters:\n${ids.join('\n')}`,
    );
  }
  if (!isOpen(found)) throw new CliError(toEndText(found));
  return found;
}

function isOpen({ state, expiresAt }: Approval): boolean {
  return state === 'PENDING' && expiresAt > Date.now();
}
