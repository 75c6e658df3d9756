/**
 * Wraps and unwraps the configuration file of a host. What undoes that byte for byte, a backup of the file
 * and a record of what was written, is kept among the user's own files: nothing that lies in the folder
 * of the file is believed or written over, and no link there is followed.
 */
import { constants, existsSync, lstatSync } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { readPlainFile } from '../../lib/read-plain-file.ts';
import { writeAtomically } from '../../lib/write-atomically.ts';
import type { TogetherServer } from '../config/together-file.ts';
import { toTogetherText } from '../config/together-file.ts';
import { describeFileError } from '../../lib/describe-file-error.ts';
import type { GateCommand } from './gated-entry.ts';
import type { JoinedEntry, JoinGroup } from './join-servers.ts';
import { findJoinable, joinServers, splitServers } from './join-servers.ts';
import { fileKindOf } from './known-hosts.ts';
import type { ConfigFaults, WrapResult } from './wrap-config.ts';
import { unwrapConfig, wrapConfig } from './wrap-config.ts';
import type { WrapRecord } from './wrap-record.ts';
import {
  allRecords,
  ownPath,
  readBackup,
  readRecord,
  recordFolder,
  recordPath,
  toDigest,
  toRecordText,
  writeBackup,
} from './wrap-record.ts';

export interface WrapPlan extends ReadConfig {
  readonly file: string;
  /** Whose file it is, where that is known. */
  readonly host?: string;
  readonly result: Extract<WrapResult, { kind: 'wrapped' }>;
  /** Gates for several servers each. */
  readonly joined: readonly PlannedJoin[];
}

interface PlannedJoin {
  readonly entry: JoinedEntry;
  readonly servers: readonly TogetherServer[];
}

export interface Unwrapping {
  readonly kind: 'restored' | 'edited';
  readonly before: string;
  readonly text: string;
  readonly servers: readonly { readonly name: string; readonly exact: boolean }[];
}

/** Servers that could share a gate, those beside each other in one group. */
export function listJoinable(file: string): readonly JoinGroup[] | ConfigFaults {
  const read = readConfig(file);
  return 'kind' in read ? read : findJoinable(read.before, fileKindOf(file));
}

export function planWrap(
  file: string,
  gate: GateCommand,
  joining: readonly JoinGroup<TogetherServer>[] = [],
): WrapPlan | ConfigFaults {
  const read = readConfig(file);
  if ('kind' in read) return read;
  const known = readRecord(file);
  const kind = fileKindOf(file);
  const joined: PlannedJoin[] = [];
  let text = read.before;
  for (const group of joining) {
    const path = join(recordFolder(file), toJoinName(known, joined.length));
    const next = joinServers(text, group, gate, path, kind.isGemini);
    ({ text } = next);
    joined.push({ entry: next.entry, servers: group.servers });
  }
  const files = [...(known?.joined ?? []), ...joined.map(({ entry }) => entry)];
  const shared = files.map((entry) => entry.file);
  const result = wrapConfig(text, gate, known?.servers, kind, shared);
  return result.kind === 'faults' ? result : { file, ...read, result, joined };
}

/** No file that an entry may still lead to is written over. */
function toJoinName(known: WrapRecord | undefined, planned: number): string {
  const numbers = (known?.joined ?? []).map(({ file }) => Number(/(\d+)\.json$/.exec(file)?.[1]));
  return `together-${Math.max(0, ...numbers.filter(Number.isSafeInteger)) + planned + 1}.json`;
}

/** Gives the path of the backup. Refuses when the file is no longer the one that was planned for. */
export async function applyWrap(plan: WrapPlan): Promise<string | ConfigFaults> {
  const { file, bytes, mode, result, joined } = plan;
  const now = readConfig(file);
  if ('kind' in now) return now;
  if (!now.bytes.equals(bytes))
    return { kind: 'faults', faults: ['it was changed meanwhile; nothing was written'] };
  await mkdir(recordFolder(file), { recursive: true, mode: 0o700 });
  const known = readRecord(file);
  const text = Buffer.from(result.text);
  // Where servers are wrapped already, the backup of the file without any is the one worth keeping.
  const planned = new Set(joined.map(({ entry }) => entry.name));
  const isFirst =
    known === undefined ||
    !result.skipped.some(({ name, why }) => why === 'already-wrapped' && !planned.has(name));
  const record: WrapRecord = isFirst
    ? {
        file: ownPath(file),
        sha256: toDigest(text),
        backup: await writeBackup(file, bytes),
        backupSha256: toDigest(bytes),
        servers: result.servers,
        joined: joined.map(({ entry }) => entry),
      }
    : {
        file: ownPath(file),
        backup: known.backup,
        backupSha256: known.backupSha256,
        servers: [...known.servers, ...result.servers],
        joined: [...(known.joined ?? []), ...joined.map(({ entry }) => entry)],
      };
  for (const { entry, servers } of joined) {
    await writeAtomically(entry.file, toTogetherText(servers), 0o600);
  }
  await writeAtomically(recordPath(file), toRecordText(record), 0o600);
  await writeAtomically(file, text, mode, 'replace');
  return join(recordFolder(file), record.backup);
}

export async function unwrapFile(file: string): Promise<Unwrapping | ConfigFaults> {
  const read = readConfig(file);
  if ('kind' in read) return read;
  const { bytes, before, mode } = read;
  const record = readRecord(file);
  const backup = record && readBackup(file, bytes, record);
  if (record !== undefined && backup !== undefined) {
    await writeAtomically(file, backup, mode, 'replace');
    await rm(join(recordFolder(file), record.backup));
    await rm(recordPath(file));
    await removeJoined(file, record);
    const names = [...record.servers, ...(record.joined ?? []).flatMap((each) => each.servers)];
    const servers = names.map(({ name }) => ({ name, exact: true }));
    return { kind: 'restored', before, text: backup.toString(), servers };
  }
  const apart = splitAll(before, record);
  const result = unwrapConfig(apart.text, record?.servers ?? [], fileKindOf(file));
  if (result.kind === 'faults') return result;
  const { text } = result;
  const servers = [...apart.servers, ...result.servers];
  if (servers.length > 0) await writeAtomically(file, text, mode, 'replace');
  const rest = record && stillUsed(record, text);
  if (rest === undefined) await rm(recordPath(file), { force: true });
  else await writeAtomically(recordPath(file), toRecordText(rest), 0o600);
  if (record !== undefined) await removeJoined(file, record, rest);
  if (record !== undefined && toDigest(Buffer.from(text)) === record.backupSha256)
    await rm(join(recordFolder(file), record.backup), { force: true });
  return { kind: 'edited', before, text, servers };
}

function splitAll(
  before: string,
  record: WrapRecord | undefined,
): { readonly text: string; readonly servers: Unwrapping['servers'] } {
  let text = before;
  const servers = (record?.joined ?? []).flatMap((entry) => {
    const next = splitServers(text, entry);
    text = next ?? text;
    return next === undefined ? [] : entry.servers.map(({ name }) => ({ name, exact: true }));
  });
  return { text, servers };
}

/** What is left of a record where the file still leads to servers that share a gate, such as from another place in it. */
function stillUsed(record: WrapRecord, text: string): WrapRecord | undefined {
  const { sha256: _, joined = [], ...rest } = record;
  const used = joined.filter((entry) => text.includes(JSON.stringify(entry.file)));
  return used.length === 0 ? undefined : { ...rest, servers: [], joined: used };
}

/** Only from the folder of the record, whatever it says; not what is still in use. */
async function removeJoined(
  file: string,
  { joined = [] }: WrapRecord,
  rest?: WrapRecord,
): Promise<void> {
  const used = new Set(rest?.joined?.map((entry) => entry.file));
  for (const entry of joined.filter((each) => !used.has(each.file))) {
    await rm(join(recordFolder(file), basename(entry.file)), { force: true });
  }
}

interface ReadConfig {
  readonly bytes: Buffer;
  readonly before: string;
  readonly mode: number;
}

function readConfig(file: string): ReadConfig | ConfigFaults {
  const link = findLink(file);
  if (link !== undefined) {
    const fault = `${link} is a link, which a repository may have brought; name the file that it leads to`;
    return { kind: 'faults', faults: [fault] };
  }
  try {
    const { bytes, mode } = readPlainFile(file, constants.O_NOFOLLOW);
    // Keeps a byte order mark, and refuses what could not be written back as it was.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return { bytes, mode, before: decoder.decode(bytes) };
  } catch (error) {
    const message = error instanceof TypeError ? 'it is not UTF-8' : describeFileError(error);
    return { kind: 'faults', faults: [message] };
  }
}

export interface WrappedFile {
  readonly file: string;
  readonly servers: readonly string[];
  /** Whether the gate is still in front of each of them. */
  readonly state: 'wrapped' | 'changed' | 'gone';
}

/** Every file that was wrapped and not unwrapped since. */
export function listWrapped(): readonly WrappedFile[] {
  return allRecords().flatMap((record) => {
    const { file } = record;
    if (file === undefined) return [];
    const all = [...(record.joined ?? []).flatMap((each) => each.servers), ...record.servers];
    const servers = [...new Set(all.map(({ name }) => name))];
    return [{ file, servers, state: stateOf(file, record) }];
  });
}

function stateOf(file: string, record: WrapRecord): WrappedFile['state'] {
  const read = existsSync(file) ? readConfig(file) : undefined;
  if (read === undefined || 'kind' in read) return 'gone';
  if (toDigest(read.bytes) === record.sha256) return 'wrapped';
  const text = read.before;
  const isThere =
    record.servers.every(({ after }) => text.includes(after)) &&
    (record.joined ?? []).every((entry) => text.includes(JSON.stringify(entry.file)));
  return isThere ? 'wrapped' : 'changed';
}

/** The path of the first one. */
function findLink(file: string): string | undefined {
  const path = resolve(file);
  const { root } = parse(path);
  const [first = ''] = path.slice(root.length).split(sep);
  const above = [process.cwd(), homedir()].filter((folder) => isBelow(path, folder));
  const [base = ''] = [...above, join(root, first)].toSorted((a, b) => b.length - a.length);
  let at = base;
  for (const part of relative(at, path).split(sep)) {
    at = join(at, part);
    if (lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() === true) return at;
  }
  return undefined;
}

function isBelow(path: string, folder: string): boolean {
  const rest = relative(folder, path);
  return rest !== '' && !isAbsolute(rest) && rest.split(sep)[0] !== '..';
}
