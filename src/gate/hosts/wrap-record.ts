/**
 * What undoes a wrap byte for byte, among the user's own files: a backup of the file and a record of what was
 * written. Both are read with suspicion, and a backup is never written over.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { JsonValue } from '../../lib/json-value.ts';
import { stateFolder, toStateName } from '../../lib/state-folder.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import type { JoinedEntry } from './join-servers.ts';
import type { WrappedEntry } from './wrap-config.ts';

export interface WrapRecord {
  /** Which file it is about; older records do not say. */
  readonly file?: string;
  /** Of the file as it was written; absent when the backup is older than what was wrapped last. */
  readonly sha256?: string;
  /** The backup's name, in the folder of the record. */
  readonly backup: string;
  readonly backupSha256: string;
  readonly servers: readonly WrappedEntry[];
  /** Entries that stand for several servers each. */
  readonly joined?: readonly JoinedEntry[];
}

const LIMITS = { bytes: 64 * 1024 * 1024 };

export function recordFolder(file: string): string {
  return join(stateFolder(), 'wraps', toStateName(ownPath(file)));
}

export function ownPath(file: string): string {
  return join(realpathSync(dirname(file)), basename(file));
}

export function recordPath(file: string): string {
  return join(recordFolder(file), 'record.json');
}

export function toRecordText(record: WrapRecord): string {
  return `${JSON.stringify({ version: 1, ...record }, null, 2)}\n`;
}

/** Undefined when there is none that can be relied on; the file itself is then all there is to go by. */
export function readRecord(file: string): WrapRecord | undefined {
  return readRecordAt(recordPath(file));
}

function readRecordAt(path: string): WrapRecord | undefined {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
  const json = parseStrictJson(text, LIMITS);
  return json.kind === 'json' && isRecord(json.value) ? json.value : undefined;
}

/** The bytes to go back to, if the file is still what wrapping made of it. */
export function readBackup(
  file: string,
  bytes: Uint8Array,
  record: WrapRecord,
): Buffer | undefined {
  if (record.sha256 !== toDigest(bytes)) return undefined;
  try {
    const backup = readFileSync(join(recordFolder(file), record.backup));
    return toDigest(backup) === record.backupSha256 ? backup : undefined;
  } catch {
    return undefined;
  }
}

/** Under the first name that is free, since a backup is never written over. Gives the name. */
export async function writeBackup(file: string, bytes: Uint8Array): Promise<string> {
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

export function toDigest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function isRecord(value: JsonValue): value is JsonValue & WrapRecord {
  if (typeof value !== 'object' || value === null || !('servers' in value)) return false;
  const { file, backup, backupSha256, servers, joined } = value as Readonly<
    Record<string, JsonValue>
  >;
  return (
    (file === undefined || typeof file === 'string') &&
    typeof backup === 'string' &&
    backup === basename(backup) &&
    typeof backupSha256 === 'string' &&
    Array.isArray(servers) &&
    (servers as readonly JsonValue[]).every(isEntry) &&
    (joined === undefined || (Array.isArray(joined) && joined.every(isJoined)))
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

function isJoined(value: JsonValue): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const { name, path, file, servers } = value as Readonly<Record<string, JsonValue>>;
  return (
    [name, file].every((text) => typeof text === 'string') &&
    Array.isArray(path) &&
    Array.isArray(servers)
  );
}

/** Of every file that was wrapped and not unwrapped since. */
export function allRecords(): readonly WrapRecord[] {
  const folder = join(stateFolder(), 'wraps');
  if (!existsSync(folder)) return [];
  return readdirSync(folder).flatMap((name) => {
    const record = readRecordAt(join(folder, name, 'record.json'));
    return record === undefined ? [] : [record];
  });
}
