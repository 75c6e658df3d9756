/**
 * Wraps and unwraps the configuration file of a host. What undoes that byte for byte, a backup of the file
 * and a record of what was written, is kept among the user's own files: nothing that lies in the folder
 * of the file is believed or written over, and no link there is followed.
 */
import { createHash } from 'node:crypto';
import { constants, lstatSync, readFileSync, realpathSync } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, isAbsolute, parse, relative, resolve, sep } from 'node:path';
import type { JsonValue } from '../../lib/json-value.ts';
import { readPlainFile } from '../../lib/read-plain-file.ts';
import { stateFolder, toStateName } from '../../lib/state-folder.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import { writeAtomically } from '../../lib/write-atomically.ts';
import type { GateCommand } from './gated-entry.ts';
import type { ConfigFaults, WrappedEntry, WrapResult } from './wrap-config.ts';
import { unwrapConfig, wrapConfig } from './wrap-config.ts';

export interface WrapPlan extends ReadConfig {
  readonly file: string;
  readonly result: Extract<WrapResult, { kind: 'wrapped' }>;
}

export interface Unwrapping {
  readonly kind: 'restored' | 'edited';
  readonly before: string;
  readonly text: string;
  readonly servers: readonly { readonly name: string; readonly exact: boolean }[];
}

export function planWrap(file: string, gate: GateCommand): WrapPlan | ConfigFaults {
  const read = readConfig(file);
  if ('kind' in read) return read;
  const result = wrapConfig(read.before, gate, readRecord(file)?.servers);
  return result.kind === 'faults' ? result : { file, ...read, result };
}

/** Gives the path of the backup. Refuses when the file is no longer the one that was planned for. */
export async function applyWrap(plan: WrapPlan): Promise<string | ConfigFaults> {
  const { file, bytes, mode, result } = plan;
  const now = readConfig(file);
  if ('kind' in now) return now;
  if (!now.bytes.equals(bytes))
    return { kind: 'faults', faults: ['it was changed meanwhile; nothing was written'] };
  await mkdir(recordFolder(file), { recursive: true, mode: 0o700 });
  const known = readRecord(file);
  const text = Buffer.from(result.text);
  // Where servers are wrapped already, the backup of the file without any is the one worth keeping.
  const isFirst =
    !result.skipped.some(({ why }) => why === 'already-wrapped') || known === undefined;
  const record: WrapRecord = isFirst
    ? {
        sha256: toDigest(text),
        backup: await writeBackup(file, bytes),
        backupSha256: toDigest(bytes),
        servers: result.servers,
      }
    : {
        backup: known.backup,
        backupSha256: known.backupSha256,
        servers: [...known.servers, ...result.servers],
      };
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
    const servers = record.servers.map(({ name }) => ({ name, exact: true }));
    return { kind: 'restored', before, text: backup.toString(), servers };
  }
  const result = unwrapConfig(before, record?.servers ?? []);
  if (result.kind === 'faults') return result;
  const { text, servers } = result;
  if (servers.length > 0) await writeAtomically(file, text, mode, 'replace');
  await rm(recordPath(file), { force: true });
  if (record !== undefined && toDigest(Buffer.from(text)) === record.backupSha256)
    await rm(join(recordFolder(file), record.backup), { force: true });
  return { kind: 'edited', before, text, servers };
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
    const message = error instanceof TypeError ? 'it is not UTF-8' : (error as Error).message;
    return { kind: 'faults', faults: [message] };
  }
}

interface WrapRecord {
  /** Of the file as it was written; absent when the backup is older than what was wrapped last. */
  readonly sha256?: string;
  /** The backup's name, in the folder of the record. */
  readonly backup: string;
  readonly backupSha256: string;
  readonly servers: readonly WrappedEntry[];
}

const LIMITS = { bytes: 64 * 1024 * 1024 };

function recordFolder(file: string): string {
  const path = join(realpathSync(dirname(file)), basename(file));
  return join(stateFolder(), 'wraps', toStateName(path));
}

function recordPath(file: string): string {
  return join(recordFolder(file), 'record.json');
}

function toRecordText(record: WrapRecord): string {
  return `${JSON.stringify({ version: 1, ...record }, null, 2)}\n`;
}

/** Undefined when there is none that can be relied on; the file itself is then all there is to go by. */
function readRecord(file: string): WrapRecord | undefined {
  let text: string;
  try {
    text = readFileSync(recordPath(file), 'utf8');
  } catch {
    return undefined;
  }
  const json = parseStrictJson(text, LIMITS);
  return json.kind === 'json' && isRecord(json.value) ? json.value : undefined;
}

/** The bytes to go back to, if the file is still what wrapping made of it. */
function readBackup(file: string, bytes: Uint8Array, record: WrapRecord): Buffer | undefined {
  if (record.sha256 !== toDigest(bytes)) return undefined;
  try {
    const backup = readFileSync(join(recordFolder(file), record.backup));
    return toDigest(backup) === record.backupSha256 ? backup : undefined;
  } catch {
    return undefined;
  }
}

/** Under the first name that is free, since a backup is never written over. Gives the name. */
async function writeBackup(file: string, bytes: Uint8Array): Promise<string> {
  for (let count = 1; ; count += 1) {
    const path = join(recordFolder(file), `backup${count === 1 ? '' : `-${count}`}`);
    try {
      const handle = await open(path, 'wx', 0o600);
      try {
        await handle.writeFile(bytes);
        await handle.sync();
      } finally {
        await handle.close();
      }
      return basename(path);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException; // what node:fs throws
      if (code !== 'EEXIST') throw error;
      if (readFileSync(path).equals(bytes)) return basename(path);
    }
  }
}

function toDigest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function isRecord(value: JsonValue): value is JsonValue & WrapRecord {
  if (typeof value !== 'object' || value === null || !('servers' in value)) return false;
  const { backup, backupSha256, servers } = value as Readonly<Record<string, JsonValue>>;
  return (
    typeof backup === 'string' &&
    backup === basename(backup) &&
    typeof backupSha256 === 'string' &&
    Array.isArray(servers) &&
    (servers as readonly JsonValue[]).every(isEntry)
  );
}

function isEntry(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { name, path, before, after, gate } = value as Readonly<Record<string, JsonValue>>;
  return (
    [name, before, after].every((text) => typeof text === 'string') &&
    Array.isArray(path) &&
    typeof gate === 'object' &&
    gate !== null &&
    'args' in gate &&
    Array.isArray(gate['args'])
  );
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
