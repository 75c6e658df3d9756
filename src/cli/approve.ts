/**
 * `plimsoll approve`: puts the questions of the gate before a person at a terminal. Without one, it
 * says yes only to what the caller proves to have seen.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { Command, Option } from 'commander';
import type { Approval } from '../gate/approve/approval.ts';
import type { Approvals } from '../gate/approve/approvals.ts';
import { openApprovals } from '../gate/approve/approvals.ts';
import { showText } from '../gate/approve/show-text.ts';
import { defaultLedgerAddress } from '../ledger/default-address.ts';
import type { ApproveFlags, Desk, Exit, Terminal } from './approve-desk.ts';
import { askAbout, decideUnseen, EXIT } from './approve-desk.ts';
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
