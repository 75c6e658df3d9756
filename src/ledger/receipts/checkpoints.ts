/**
 * Signs checkpoints of the log: after so many receipts, after so long, and at the end. Several
 * processes may do so on one ledger; each signs only trees that agree with all earlier checkpoints.
 */
import type { KeyObject } from 'node:crypto';
import { createPublicKey } from 'node:crypto';
import type { Store } from '../store.ts';
import { RECEIPT_COUNTER } from './append-receipts.ts';
import type { CheckpointFile } from './checkpoint-file.ts';
import { openCheckpointFile } from './checkpoint-file.ts';
import { readSignedCheckpoint, signCheckpoint } from './checkpoint-note.ts';
import { InconsistentLogError, LogTree } from './log-tree.ts';

export interface CheckpointOptions {
  readonly signingKey: KeyObject;
  /** Kept outside the ledger too, in this file. */
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
  /** How much of the log the file vouches for. */
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
      throw new TypeError(`${options.file} is of another ledger or key: ${anchor.detail}`);
    }
    this.#filed = anchor?.checkpoint.size ?? 0;
    this.#tree = new LogTree(store, publicKey, anchor?.checkpoint);
    // A crash may have left receipts behind that nobody signed.
    this.kept(0);
  }

  /** Only counts; what is signed is read from the store, where others write too. */
  kept(count: number): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.sign();
    }, this.#options.seconds * 1000).unref();
    this.#unsigned += count;
    if (this.#unsigned >= this.#options.every) void this.sign();
  }

  /** Resolves when everything that was kept before is signed, or the reason against it is told. */
  sign(): Promise<void> {
    this.#unsigned = 0;
    this.#signing = this.#signing
      .then(() => this.#signNow())
      .catch((cause: unknown) => {
        this.#isRefused = cause instanceof InconsistentLogError;
        const message = this.#isRefused
          ? 'the log was tampered with, and no checkpoint is signed any more'
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
      // Whoever else signs this size signs the same tree, word for word.
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

  /** Spares reading a long log when nothing has been added to it. */
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
