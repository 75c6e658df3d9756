/** `plimsoll status`: what is behind a gate, what runs, what changed, what waits for a person, and where the records are. */
import { existsSync } from 'node:fs';
import { Command } from 'commander';
import { describeDecision, readQuestionEnds } from '../gate/approvals/question-ends.ts';
import { showText } from '../gate/approvals/show-text.ts';
import { openApprovals } from '../gate/approvals/approvals.ts';
import { toLedgerFlag, toLedgerHint } from '../gate/approvals/waiting-text.ts';
import { HIDDEN } from '../gate/hosts/hide-argument.ts';
import { findHostFiles } from '../gate/hosts/known-hosts.ts';
import type { WrappedFile } from '../gate/hosts/wrap-file.ts';
import { listWrapped, planWrap } from '../gate/hosts/wrap-file.ts';
import { findPresets, toAcceptCommand } from '../gate/presets/find-presets.ts';
import type { Registry } from '../gate/registry.ts';
import { readRegistry } from '../gate/registry.ts';
import { findLock, listOwnLocks, readLockFile } from '../gate/tools/lock.ts';
import { toPinRows } from '../gate/tools/pin-report.ts';
import { defaultLedgerAddress } from '../ledger/default-address.ts';
import { sqliteFile } from '../ledger/open-ledger.ts';
import { listNewest } from '../ledger/receipts/read-receipts.ts';
import type { Store } from '../ledger/store.ts';
import { LEDGER_OPTION, toLedgerAddress, withStore } from './ledger-access.ts';
import { withoutPassword } from './ledger-failure.ts';
import { ownCommand } from './own-command.ts';
import { countOf } from '../lib/count-of.ts';
import { quoteWord } from '../lib/quote-word.ts';

const EXAMPLES = `
plimsoll alone does the same.

Examples:
  plimsoll status
  plimsoll status --json
  plimsoll status --ledger plimsoll.yaml`;

interface StatusFlags {
  readonly ledger?: string;
  readonly json?: true;
}

export function statusCommand(): Command {
  return new Command('status')
    .description(
      'show what is wrapped, what runs, what changed, what waits for you, and where the records are',
    )
    .option(...LEDGER_OPTION)
    .option('--json', 'print JSON')
    .addHelpText('after', EXAMPLES)
    .action(run);
}

interface Status {
  readonly ledger: string;
  readonly wrapped: readonly WrappedFile[];
  /** Servers of hosts on this machine that no gate is in front of. */
  readonly bare: readonly BareServers[];
  /** Undefined where no gate has made the ledger yet. */
  readonly records: Records | undefined;
}

interface BareServers {
  readonly host: string;
  readonly file: string;
  readonly servers: readonly string[];
  /** Those that wrap cannot put a gate in front of. */
  readonly skipped: readonly string[];
}

interface Records {
  /** Servers whose gate runs now. */
  readonly running: readonly string[];
  /** Tools that are no longer what was accepted. */
  readonly drifted: readonly DriftedTool[];
  /** Presets that fit a server and are not in use for it. */
  readonly presets: readonly OfferedPreset[];
  readonly waiting: number;
  readonly unknown: number;
  readonly lastCalls: readonly LastCall[];
}

interface DriftedTool {
  readonly server: string;
  readonly tool: string;
  readonly drift: string;
  /** The gate refuses it until it is accepted. */
  readonly quarantined: boolean;
  readonly lock: string;
  /** How the server is reached. */
  readonly address: string;
}

interface OfferedPreset {
  readonly server: string;
  readonly preset: string;
  /** Tools that are as they were reviewed, and that nobody has pinned. */
  readonly tools: readonly string[];
  readonly command: string;
}

interface LastCall {
  readonly server: string;
  readonly at: string;
  readonly operation: string;
  readonly decision: string;
}

async function run({ ledger, json }: StatusFlags): Promise<void> {
  const address = await toLedgerAddress(ledger);
  const file = sqliteFile(address);
  const isThere = file === undefined || existsSync(file);
  const status: Status = {
    ledger: withoutPassword(address),
    wrapped: listWrapped(),
    bare: findBare(),
    records: isThere ? await withStore(address, readRecords) : undefined,
  };
  const hint = address === defaultLedgerAddress() ? undefined : toLedgerHint(address);
  process.stdout.write(json ? `${JSON.stringify(status)}\n` : toText(status, toLedgerFlag(hint)));
}

function findBare(): readonly BareServers[] {
  const [command, ...words] = ownCommand();
  return findHostFiles().flatMap(({ host, file }) => {
    const plan = planWrap(file, { command, args: [...words, 'gate'] });
    if ('kind' in plan) return [];
    const servers = plan.result.servers.map(({ name }) => name);
    const skipped = plan.result.skipped
      .filter(({ why }) => why !== 'already-wrapped')
      .map(({ name }) => name);
    return servers.length + skipped.length === 0 ? [] : [{ host, file, servers, skipped }];
  });
}

const RECENT = 1000;
const MOST_UNKNOWN = 10_000;

const NOT_DRIFTED: ReadonlySet<string> = new Set(['same', 'new']);

/** By the pins of every folder, since a host starts a gate in a folder of its choice. */
function findDrifted(servers: Registry['servers']): readonly DriftedTool[] {
  const found = findLock(process.cwd());
  const locks = [...listOwnLocks(), ...(found === undefined ? [] : [found])];
  return locks.flatMap((lock) => {
    const reading = readLockFile(lock);
    const pinned = reading.kind === 'lock' ? reading.lock.servers : new Map<string, never>();
    return servers.flatMap(({ name, address, tools, lock: own }) => {
      const pins = pinned.get(name);
      // A server of one name in another folder is another one.
      const isOther = lock !== found && own !== undefined && own !== lock;
      if (pins === undefined || tools.length === 0 || isOther) return [];
      return toPinRows(pins, tools)
        .filter(({ drift }) => !NOT_DRIFTED.has(drift.kind))
        .map(({ name: tool, drift: { kind: drift }, quarantined }) => ({
          server: name,
          tool,
          drift,
          quarantined,
          lock,
          address,
        }));
    });
  });
}

/** By the pins that the gate of each server reads. */
function findOffered(servers: Registry['servers']): readonly OfferedPreset[] {
  return servers.flatMap(({ name: server, tools, lock, address }) => {
    const reading = lock === undefined ? undefined : readLockFile(lock);
    const pins = reading?.kind === 'lock' ? reading.lock.servers.get(server) : undefined;
    return findPresets(tools, pins).map((fitting) => ({
      server,
      preset: fitting.preset.name,
      tools: fitting.tools,
      command: toAcceptCommand(fitting.preset, {
        server,
        lock,
        // A hidden argument would be taken as it is shown.
        ...(!address.includes(HIDDEN) && { address }),
      }),
    }));
  });
}

async function readRecords(store: Store): Promise<Records> {
  const { servers, all } = await readRegistry(store);
  const running = servers.filter(({ state }) => state !== 'down').map(({ name }) => name);
  const waiting = await openApprovals(store).listPending();
  const unknown = await store.transaction((tx) =>
    tx.list('key_records', {
      where: { state: 'UNKNOWN' },
      orderBy: 'created_at',
      limit: MOST_UNKNOWN,
    }),
  );
  const rows = (await listNewest(store, {}, RECENT)).filter(({ server }) => server !== '');
  // The receipt of a read is written behind its answer, so a later call may have an earlier number.
  const byTime = rows.toSorted((a, b) => a.at - b.at || a.seq - b.seq);
  const newest = new Map(byTime.map((row) => [row.server, row]));
  const ends = await readQuestionEnds(store, [...newest.values()]);
  const lastCalls = [...newest.values()].map((row) => ({
    server: row.server,
    at: new Date(row.at).toISOString(),
    operation: row.operation,
    decision: describeDecision(row, ends),
  }));
  const drifted = findDrifted(all);
  const presets = findOffered(all);
  return { running, drifted, presets, waiting: waiting.length, unknown: unknown.length, lastCalls };
}

const STATES: Readonly<Record<WrappedFile['state'], string>> = {
  wrapped: '',
  changed: ' (changed since; plimsoll wrap looks again)',
  gone: ' (the file is gone)',
};

/** `flag`: what commands that follow need to find the same ledger. */
function toText({ ledger, wrapped, bare, records }: Status, flag: string): string {
  const list = (names: readonly string[]): string => names.map(showText).join(', ');
  const lines = [
    `Records    ${ledger}${records === undefined ? ' (not there yet; the first gate creates it)' : ''}`,
    ...(wrapped.length === 0
      ? ['Wrapped    nothing yet; plimsoll wrap shows what it would do']
      : []),
    ...wrapped.map(
      ({ file, servers, state }) =>
        `Wrapped    ${showText(file)}: ${list(servers)}${STATES[state]}`,
    ),
    ...bare.flatMap(({ host, file, servers, skipped }) => [
      ...toBareLine(`${host}, ${file}`, servers, 'plimsoll wrap puts a gate in front'),
      ...toBareLine(`${host}, ${file}`, skipped, 'it cannot be wrapped; plimsoll wrap says why'),
    ]),
    ...(records === undefined ? [] : toRecordLines(records, flag)),
  ];
  return `${lines.join('\n')}\n`;
}

function toBareLine(place: string, servers: readonly string[], next: string): readonly string[] {
  return servers.length === 0
    ? []
    : [showText(`Not gated  ${place}: ${servers.join(', ')}; ${next}`)];
}

function toRecordLines(records: Records, flag: string): readonly string[] {
  const { running, drifted, presets, waiting, unknown, lastCalls } = records;
  const questions = countOf(waiting, 'question');
  return [
    `Running    ${running.length === 0 ? 'no gate' : running.map(showText).join(', ')}`,
    ...drifted.map(toDriftLine),
    ...presets.map(toPresetLine),
    waiting === 0
      ? 'Waiting    nothing'
      : `Waiting    ${questions}; answer in the browser: plimsoll console --open${flag}, or here: plimsoll approve --watch${flag}`,
    ...(unknown === 0
      ? []
      : [
          `Unknown    ${countOf(unknown, 'call')} may or may not have happened; plimsoll ledger unknown${flag}`,
        ]),
    ...lastCalls.map(
      ({ server, at, operation, decision }) =>
        `Last call  ${showText(server)}: ${showText(operation)} at ${at}, ${decision}`,
    ),
  ];
}

function toPresetLine({ server, preset, tools, command }: OfferedPreset): string {
  const many = countOf(tools.length, 'tool');
  return showText(`Preset     ${preset} covers ${many} of ${server}: ${command}`);
}

function toDriftLine({ server, tool, drift, quarantined, lock, address }: DriftedTool): string {
  const how = quarantined ? `${drift}, held back until you accept it` : drift;
  const flags = `--server ${quoteWord(server)} --lock ${quoteWord(lock)}`;
  const [see, accept] = ['', ` --accept ${quoteWord(tool)}`].map(
    (more) => `plimsoll pin ${flags}${more} -- ${address}`,
  );
  return showText(
    `Drifted    ${server} ${tool}: ${how}; to see the change: ${see}; to accept it: ${accept}`,
  );
}
