/**
 * What wrapping leaves beside a host's configuration, so that it can be undone byte for byte: a backup of
 * the file and a record of what was written. Both may hold secrets and are for their owner alone.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { JsonValue } from '../../lib/json-value.ts';
import { parseStrictJson } from '../../lib/strict-json.ts';
import type { WrappedEntry } from './wrap-config.ts';

export interface WrapRecord {
  /** Of the file as it was written; absent when the backup is older than what was wrapped last. */
  readonly sha256?: string;
  /** The backup's name, in the same folder. */
  readonly backup: string;
  readonly backupSha256: string;
  readonly servers: readonly WrappedEntry[];
}

const LIMITS = { bytes: 64 * 1024 * 1024 };

export function recordPath(file: string): string {
  return `${file}.plimsoll-wrap.json`;
}

export function toRecordText(record: WrapRecord): string {
  return `${JSON.stringify({ version: 1, ...record }, null, 2)}\n`;
}

/** Undefined when there is none that can be relied on; the file itself is then all there is to go by. */
export function readRecord(file: string): WrapRecord | undefined {
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
export function readBackup(
  file: string,
  bytes: Uint8Array,
  record: WrapRecord,
): Buffer | undefined {
  if (record.sha256 !== toDigest(bytes)) return undefined;
  try {
    const backup = readFileSync(join(dirname(file), record.backup));
    return toDigest(backup) === record.backupSha256 ? backup : undefined;
  } catch {
    return undefined;
  }
}

/** Under the first name that is free, since a backup is never written over. Gives the name. */
export async function writeBackup(file: string, bytes: Uint8Array): Promise<string> {
  for (let count = 1; ; count += 1) {
    const path = `${file}.plimsoll-backup${count === 1 ? '' : `-${count}`}`;
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
  const { name, path, before, after } = value as Readonly<Record<string, JsonValue>>;
  return [name, before, after].every((text) => typeof text === 'string') && Array.isArray(path);
}
