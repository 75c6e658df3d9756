/** Processing jobs: one per key, charged when they succeed, free when they fail or are deleted before. */
import type { Job, JobStatus, NewJob } from '../job.ts';
import { RUN_MS, START_MS } from '../job.ts';
import { findProcess } from '../processes.ts';
import type { Acting, Slice } from './acting.ts';
import type { Credits, Short } from './credits.ts';
import type { Database } from '../../shared/database.ts';
import { fromRow, newId } from './from-row.ts';
import type { Events } from './events.ts';
import type { Inbox } from './inbox.ts';
import type { Items } from './items.ts';
import { failureOf, toJobResult } from './job-result.ts';

export type Queueing = { readonly kind: 'queued' | 'again'; readonly job: Job } | Short;

export interface JobQuery {
  readonly projectId?: string | undefined;
  readonly processId?: string | undefined;
  readonly status?: JobStatus | undefined;
}

const COLUMNS = `id, organization_id, project_id, process_id, item_id, status, megapixels, credits, error,
  result_item_id, created_by, created_at, finished_at`;
const MACHINE = 'processor';

interface Parts {
  readonly credits: Credits;
  readonly events: Events;
  readonly inbox: Inbox;
  readonly items: Items;
}

export class Jobs {
  readonly #db: Database;
  readonly #parts: Parts;

  constructor(db: Database, parts: Parts) {
    this.#db = db;
    this.#parts = parts;
  }

  find(organisation: string, id: string): Job | undefined {
    return this.#one('id = :value AND deleted_at IS NULL', organisation, id);
  }

  /** Also if it was deleted since. */
  findByKey(organisation: string, key: string): Job | undefined {
    return this.#one('key = :value', organisation, key);
  }

  /** Newest first. */
  list(organisation: string, query: JobQuery, slice: Slice): readonly Job[] {
    const rows = this.#db.all(
      `SELECT ${COLUMNS} FROM jobs WHERE organization_id = :organisation AND deleted_at IS NULL
         AND (:project IS NULL OR project_id = :project) AND (:process IS NULL OR process_id = :process)
         AND (:status IS NULL OR status = :status)
       ORDER BY seq DESC LIMIT :limit OFFSET :offset`,
      {
        organisation,
        project: query.projectId ?? null,
        process: query.processId ?? null,
        status: query.status ?? null,
        ...slice,
      },
    );
    return Object.freeze(rows.map((row) => fromRow(row) as Job));
  }

  queue(acting: Acting, key: string, wanted: NewJob): Queueing {
    return this.#db.atomically(() => {
      const first = this.findByKey(acting.organisation, key);
      if (first !== undefined) return Object.freeze({ kind: 'again', job: first });
      const id = newId('job');
      const short = this.#parts.credits.reserve(acting, id, wanted.credits);
      if (short !== undefined) return short;
      const later = (ms: number) => new Date(acting.at.getTime() + ms).toISOString();
      this.#db.insert('jobs', {
        id,
        organization_id: acting.organisation,
        project_id: wanted.project_id,
        process_id: wanted.process_id,
        item_id: wanted.item_id,
        status: 'queued',
        megapixels: wanted.megapixels,
        credits: wanted.credits,
        key,
        created_by: acting.user,
        created_at: acting.at.toISOString(),
        start_at: later(START_MS),
        due_at: later(RUN_MS),
      });
      this.#parts.events.record(acting, 'job.queued', id);
      return Object.freeze({ kind: 'queued', job: this.#mustFind(acting.organisation, id) });
    });
  }

  /** Releases the credits of a job that has not ended. */
  delete(acting: Acting, id: string): boolean {
    return this.#db.atomically(() => {
      const job = this.find(acting.organisation, id);
      if (job === undefined) return false;
      if (job.finished_at === null) {
        this.#end(job, acting.at, { status: 'failed', error: 'It was deleted before it ended.' });
        this.#parts.credits.release(acting, id, job.credits);
      }
      const at = acting.at.toISOString();
      this.#db.run('UPDATE jobs SET deleted_at = :at WHERE id = :id', { id, at });
      this.#parts.events.record(acting, 'job.deleted', id);
      return true;
    });
  }

  startDue(at: Date): number {
    return this.#db.run(
      `UPDATE jobs SET status = 'running' WHERE status = 'queued' AND start_at <= :at`,
      { at: at.toISOString() },
    ).changes;
  }

  /** Ends the running jobs that are due. */
  finishDue(at: Date): readonly Job[] {
    const due = this.#db.all(
      `SELECT id, organization_id FROM jobs WHERE status = 'running' AND due_at <= :at ORDER BY seq`,
      { at: at.toISOString() },
    );
    return Object.freeze(
      due.flatMap(
        (row) => this.#finish(String(row['organization_id']), String(row['id']), at) ?? [],
      ),
    );
  }

  #finish(organisation: string, id: string, at: Date): Job | undefined {
    return this.#db.atomically(() => {
      const job = this.find(organisation, id);
      if (job?.status !== 'running') return undefined;
      const acting: Acting = { organisation, user: MACHINE, at };
      const item = this.#parts.items.find(organisation, job.item_id);
      const process = findProcess(job.process_id);
      const failure = failureOf(process, item);
      if (failure !== undefined || item === undefined || process === undefined) {
        this.#end(job, at, { status: 'failed', error: failure ?? 'The process no longer exists.' });
        this.#parts.credits.release(acting, id, job.credits);
      } else {
        const assets = this.#parts.items.assets(organisation, item.id);
        const result = toJobResult(job, item, assets, process);
        const made = this.#parts.items.create({ ...acting, user: job.created_by }, result.item, [
          result.asset,
        ]);
        this.#end(job, at, { status: 'succeeded', result: made.id });
        this.#parts.credits.charge(acting, id, job.credits);
      }
      const after = this.#mustFind(organisation, id);
      const told = { ...acting, user: job.created_by };
      this.#parts.inbox.add(
        told,
        `job.${after.status}`,
        `Job ${job.process_id} ${after.status}.`,
        id,
      );
      this.#parts.events.record(acting, `job.${after.status}`, id);
      return after;
    });
  }

  #end(
    { id }: Job,
    at: Date,
    end:
      | { readonly status: 'failed'; readonly error: string }
      | { readonly status: 'succeeded'; readonly result: string },
  ): void {
    this.#db.run(
      `UPDATE jobs SET status = :status, error = :error, result_item_id = :result, finished_at = :at
       WHERE id = :id`,
      {
        id,
        status: end.status,
        error: end.status === 'failed' ? end.error : null,
        result: end.status === 'succeeded' ? end.result : null,
        at: at.toISOString(),
      },
    );
  }

  #one(where: string, organisation: string, value: string): Job | undefined {
    const row = this.#db.get(
      `SELECT ${COLUMNS} FROM jobs WHERE organization_id = :organisation AND ${where}`,
      { organisation, value },
    );
    return row === undefined ? undefined : (fromRow(row) as Job);
  }

  #mustFind(organisation: string, id: string): Job {
    const job = this.find(organisation, id);
    if (job === undefined) throw new Error(`job ${id} disappeared within its own transaction`);
    return job;
  }
}
