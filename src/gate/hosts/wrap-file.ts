/** Wraps and unwraps the configuration file of a host: reads it, keeps what undoes it, writes it whole. */
import { readFileSync, statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { unwrapConfig } from './unwrap-config.ts';
import type { ConfigFaults, GateCommand, WrapResult } from './wrap-config.ts';
import { wrapConfig } from './wrap-config.ts';
import type { WrapRecord } from './wrap-record.ts';
import {
  readBackup,
  readRecord,
  recordPath,
  toDigest,
  toRecordText,
  writeBackup,
} from './wrap-record.ts';
import { writeAtomically } from './write-atomically.ts';

export interface WrapPlan {
  readonly file: string;
  readonly bytes: Buffer;
  readonly before: string;
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
  const result = wrapConfig(read.before, gate);
  return result.kind === 'faults' ? result : { file, ...read, result };
}

/** Gives the name of the backup. Refuses when the file is no longer the one that was planned for. */
export async function applyWrap({ file, bytes, result }: WrapPlan): Promise<string | ConfigFaults> {
  if (!readFileSync(file).equals(bytes))
    return { kind: 'faults', faults: ['it was changed meanwhile; nothing was written'] };
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
  await writeAtomically(file, text, modeOf(file));
  return record.backup;
}

export async function unwrapFile(file: string): Promise<Unwrapping | ConfigFaults> {
  const read = readConfig(file);
  if ('kind' in read) return read;
  const { bytes, before } = read;
  const record = readRecord(file);
  const backup = record && readBackup(file, bytes, record);
  if (record !== undefined && backup !== undefined) {
    await writeAtomically(file, backup, modeOf(file));
    await rm(join(dirname(file), record.backup));
    await rm(recordPath(file));
    const servers = record.servers.map(({ name }) => ({ name, exact: true }));
    return { kind: 'restored', before, text: backup.toString(), servers };
  }
  const result = unwrapConfig(before, record?.servers ?? []);
  if (result.kind === 'faults') return result;
  const { text, servers } = result;
  if (servers.length > 0) await writeAtomically(file, text, modeOf(file));
  await rm(recordPath(file), { force: true });
  if (record !== undefined && toDigest(Buffer.from(text)) === record.backupSha256)
    await rm(join(dirname(file), record.backup), { force: true });
  return { kind: 'edited', before, text, servers };
}

function readConfig(file: string): { bytes: Buffer; before: string } | ConfigFaults {
  try {
    const bytes = readFileSync(file);
    // Keeps a byte order mark, and refuses what could not be written back as it was.
    const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
    return { bytes, before: decoder.decode(bytes) };
  } catch (error) {
    const message = error instanceof TypeError ? 'it is not UTF-8' : (error as Error).message;
    return { kind: 'faults', faults: [message] };
  }
}

function modeOf(file: string): number {
  return statSync(file).mode & 0o777;
}
