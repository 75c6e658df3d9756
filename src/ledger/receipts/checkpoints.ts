/**
 * Signs checkpoints of the log: after a number of receipts, after a time, and on closing. Several
 * processes may do so on one ledger; each signs only trees that agree with all earlier checkpoints.
 */
import type { KeyObject } from 'node:crypto';
import { createPublicKey } from 'node:crypto';
import type { Checkpoint } from '../../lib/checkpoint.ts';
import type { Store } from '../store.ts';
import type { CheckpointRow } from '../tables.ts';
import type { CheckpointFile } from './checkpoint-file.ts';
import { CheckpointFileError, openCheckpointFile } from './checkpoint-file.ts';
import type { SignedCheckpoint } from './checkpoint-note.ts';
import { readSignedCheckpoint, signCheckpoint } from './checkpoint-note.ts';
import { InconsistentLogError, LogTree } from './log-tree.ts';
import { RECEIPT_COUNTER } from './number-receipt.ts';
import type { AuditFinding } from './audit-finding.ts';
import { toFinding } from './audit-finding.ts';

interface CheckpointOptions {
  readonly signingKey: KeyObject;
  /** Also stored outside the ledger, in this file. */
  readonly file?: string;
  readonly every: number;
  readonly seconds: number;
  readonly report: (message: string, cause: unknown) => void;
}

export class Checkpoints implements AsyncDisposable {
  readonly #store: Store;
  readonly #options: CheckpointOptions;
  readonly #file: CheckpointFile | undefined;
  readonly #tree: LogTree;
  /** How much of the log the file covers. */
  #filed: number;
  #unsigned = 0;
  #timer: NodeJS.Timeout | undefined;
  #signing: Promise<void> = Promise.resolve();
  #isRefused = false;
  #isClosed = false;

  static async open(store: Store, options: CheckpointOptions): Promise<Checkpoints> {
    const file = options.file === undefined ? undefined : await openCheckpointFile(options.file);
    return new Checkpoints(store, options, file);
  }

  private constructor(store: Store, options: CheckpointOptions, file: CheckpointFile | undefined) {
    this.#store = store;
    this.#options = options;
    this.#file = file;
    const publicKey = createPublicKey(options.signingKey);
    const anchor =
      file?.newest === undefined ? undefined : readSignedCheckpoint(file.newest, publicKey);
    if (anchor?.kind === 'refused') {
      throw new CheckpointFileError(
        `${options.file} belongs to another ledger or key: ${anchor.detail}`,
      );
    }
    this.#filed = anchor?.checkpoint.size ?? 0;
    this.#tree = new LogTree(store, publicKey, anchor?.checkpoint);
    // A crash may have left unsigned receipts behind.
    this.kept(0);
  }

  /** Only counts; what is signed is read from the store, which others also write. */
  kept(count: number): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      // Again later: answers of people, and other processes, append without telling this one.
      void this.sign().then(() => this.kept(0));
    }, this.#options.seconds * 1000).unref();
    this.#unsigned += count;
    if (this.#unsigned >= this.#options.every) void this.sign();
  }

  /** Resolves when everything stored before is signed, or the reason why not is reported. */
  sign(): Promise<void> {
    this.#unsigned = 0;
    this.#signing = this.#signing
      .then(() => this.#signNow())
      .catch((cause: unknown) => {
        this.#isRefused = cause instanceof InconsistentLogError;
        const message = this.#isRefused
          ? 'the log was tampered with; no more checkpoints will be signed'
          : 'a checkpoint could not be signed';
        this.#options.report(message, cause);
        this.kept(0);
      });
    return this.#signing;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.sign();
  }

  async #signNow(): Promise<void> {
    if (this.#isRefused || (await this.#isUpToDate())) return;
    const newest = await this.#tree.catchUp();
    const { checkpoint } = this.#tree;
    let note = newest?.note;
    if (newest?.size !== checkpoint.size) {
      // Another process that signs this size signs exactly the same tree.
      note = signCheckpoint(checkpoint, this.#options.signingKey);
      const row = { size: checkpoint.size, note };
      await this.#store.transaction(async (tx) =>
        tx.insert('checkpoints', { ...row, at: await tx.now() }),
      );
    }
    if (this.#file === undefined || note === undefined || this.#filed >= checkpoint.size) return;
    await this.#file.append(note);
    this.#filed = checkpoint.size;
  }

  /** Avoids reading a long log when nothing has been added to it. */
  async #isUpToDate(): Promise<boolean> {
    const [count, signed] = await this.#store.transaction(async (tx) => {
      const counter = await tx.find('counters', { name: RECEIPT_COUNTER });
      const [newest] = await tx.list('checkpoints', {
        orderBy: 'size',
        descending: true,
        limit: 1,
      });
      return [counter?.value ?? 0, newest?.size ?? 0] as const;
    });
    return count === signed && (this.#file === undefined || this.#filed === count);
  }
}

/**
 * Audits checkpoints against each other and returns the valid ones, as marks for `check-log.ts` to
 * compare the log with.
 */
export interface CheckpointEvidence {
  readonly publicKey: KeyObject;
  /** The expected log. Default: the one it claims to be. */
  readonly origin?: string;
  /** From the ledger itself. */
  readonly checkpoints: readonly CheckpointRow[];
  /** Notes stored outside the ledger. */
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
  // The copies are mostly the same notes, and verifying takes most of the time.
  const readings = new Map<string, SignedCheckpoint>();
  const add = (code: AuditFinding['code'], size: number, message: string): void => {
    findings.push(toFinding(code, Math.max(size - 1, 0), message));
  };
  // A row that was tampered with may contain bytes or a number instead of text.
  const take = (note: unknown, size: number | undefined, where: string): Checkpoint | undefined => {
    const text = typeof note === 'string' ? note : '';
    const read = readings.get(text) ?? readSignedCheckpoint(text, publicKey);
    readings.set(text, read);
    if (read.kind === 'refused') {
      add('bad-signature', size ?? 0, `A checkpoint ${where} is invalid: ${read.detail}`);
      return undefined;
    }
    const { checkpoint } = read;
    if (size !== undefined && size !== checkpoint.size) {
      const message = `The checkpoint in row ${size} covers ${checkpoint.size} receipts.`;
      add('checkpoint-inconsistent', checkpoint.size, message);
    }
    const known = marks.get(checkpoint.size);
    if (known === undefined) marks.set(checkpoint.size, checkpoint);
    else if (!isSame(known, checkpoint)) {
      const message = `Two different logs of ${checkpoint.size} receipts were signed.`;
      add('checkpoint-inconsistent', checkpoint.size, message);
    }
    return checkpoint;
  };

  for (const { size, note } of checkpoints) take(note, size, `in row ${size}`);
  const own = new Set(marks.keys());
  for (const note of kept ?? []) {
    const checkpoint = take(note, undefined, 'stored elsewhere');
    if (checkpoint === undefined || own.has(checkpoint.size)) continue;
    own.add(checkpoint.size);
    const message = `The checkpoint of ${checkpoint.size} receipts is missing from the ledger.`;
    add('checkpoint-missing', checkpoint.size, message);
  }
  if (kept?.length === 0 && checkpoints.length > 0) {
    add('checkpoint-missing', 0, 'No checkpoints were stored elsewhere.');
  }
  return { marks: [...marks.values()].toSorted((a, b) => a.size - b.size), findings };
}

function isSame(one: Checkpoint, other: Checkpoint): boolean {
  return one.origin === other.origin && Buffer.compare(one.root, other.root) === 0;
}
