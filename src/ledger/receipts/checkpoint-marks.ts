/**
 * Audits checkpoints among themselves and gives those that hold, as marks that the log must meet.
 * Whether it meets them is for `check-log.ts`.
 */
import type { KeyObject } from 'node:crypto';
import type { Checkpoint } from '../../lib/checkpoint.ts';
import type { CheckpointRow } from '../tables.ts';
import type { AuditFinding } from './audit-finding.ts';
import { toFinding } from './audit-finding.ts';
import type { SignedCheckpoint } from './checkpoint-note.ts';
import { readSignedCheckpoint } from './checkpoint-note.ts';

export interface CheckpointEvidence {
  readonly publicKey: KeyObject;
  /** The log that this must be. Default: whichever it says it is. */
  readonly origin?: string;
  /** From the ledger itself. */
  readonly checkpoints: readonly CheckpointRow[];
  /** Notes that were kept outside the ledger. */
  readonly kept?: readonly string[];
}

export interface CheckpointMarks {
  /** By size, the smallest first; one for each size. */
  readonly marks: readonly Checkpoint[];
  readonly findings: readonly AuditFinding[];
}

export function checkCheckpoints(evidence: CheckpointEvidence): CheckpointMarks {
  const { publicKey, checkpoints, kept } = evidence;
  const findings: AuditFinding[] = [];
  const marks = new Map<number, Checkpoint>();
  // What was kept elsewhere is mostly the same again, and verifying is what takes time.
  const readings = new Map<string, SignedCheckpoint>();
  const tell = (code: AuditFinding['code'], size: number, message: string): void => {
    findings.push(toFinding(code, Math.max(size - 1, 0), message));
  };
  // A row that was tampered with may hold bytes or a number where a text belongs.
  const take = (note: unknown, size: number | undefined, where: string): Checkpoint | undefined => {
    const text = typeof note === 'string' ? note : '';
    const read = readings.get(text) ?? readSignedCheckpoint(text, publicKey);
    readings.set(text, read);
    if (read.kind === 'refused') {
      tell('bad-signature', size ?? 0, `A checkpoint ${where} does not hold: ${read.detail}`);
      return undefined;
    }
    const { checkpoint } = read;
    if (size !== undefined && size !== checkpoint.size) {
      const message = `The checkpoint in row ${size} is of ${checkpoint.size} receipts.`;
      tell('checkpoint-inconsistent', checkpoint.size, message);
    }
    const known = marks.get(checkpoint.size);
    if (known === undefined) marks.set(checkpoint.size, checkpoint);
    else if (!isSame(known, checkpoint)) {
      const message = `Two different logs of ${checkpoint.size} receipts were signed.`;
      tell('checkpoint-inconsistent', checkpoint.size, message);
    }
    return checkpoint;
  };

  for (const { size, note } of checkpoints) take(note, size, `in row ${size}`);
  const own = new Set(marks.keys());
  for (const note of kept ?? []) {
    const checkpoint = take(note, undefined, 'that was kept elsewhere');
    if (checkpoint === undefined || own.has(checkpoint.size)) continue;
    own.add(checkpoint.size);
    const message = `The checkpoint of ${checkpoint.size} receipts is gone from the ledger.`;
    tell('checkpoint-missing', checkpoint.size, message);
  }
  if (kept?.length === 0 && checkpoints.length > 0) {
    tell('checkpoint-missing', 0, 'No checkpoint was kept elsewhere.');
  }
  return { marks: [...marks.values()].toSorted((a, b) => a.size - b.size), findings };
}

function isSame(one: Checkpoint, other: Checkpoint): boolean {
  return one.origin === other.origin && Buffer.compare(one.root, other.root) === 0;
}
