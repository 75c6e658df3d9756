/**
 * A processing job: queued → running → succeeded or failed. Credits are reserved first and charged on
 * success only.
 */

export const JOB_STATUSES = ['queued', 'running', 'succeeded', 'failed'] as const;
export type JobStatus = (typeof JOB_STATUSES)[number];

export interface Job {
  readonly id: string;
  readonly organization_id: string;
  /** `null` once its project was deleted. */
  readonly project_id: string | null;
  readonly process_id: string;
  readonly item_id: string;
  readonly status: JobStatus;
  readonly megapixels: number;
  readonly credits: number;
  readonly error: string | null;
  readonly result_item_id: string | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly finished_at: string | null;
}

export interface NewJob extends Pick<Job, 'process_id' | 'item_id' | 'megapixels' | 'credits'> {
  readonly project_id: string;
}

export const START_MS = 1_000;
export const RUN_MS = 5_000;
