/** Listings that are too long or too lively for one result, made from their paged siblings. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Job } from '../job.ts';
import type { Handler, WebRequest } from './route.ts';

const PAGE = 500;
const LOOK_MS = 500;
const LONGEST_MS = 10 * 60_000;

interface ScenesPage {
  readonly features: readonly unknown[];
  readonly next: string | null;
}

export const scenesAsLines: Handler = async (request) => ({
  type: 'application/x-ndjson',
  body: listScenes(request),
});

async function* listScenes({ url, call, signal }: WebRequest): AsyncGenerator<string> {
  const when = url.searchParams.get('datetime');
  let next: string | null | undefined;
  do {
    const page: ScenesPage = await call('catalog.search', {
      host_name: url.searchParams.get('host_name') ?? '',
      ...(when !== null && { datetime: when }),
      ...(typeof next === 'string' && { next }),
      limit: PAGE,
    });
    yield page.features.map((feature) => `${JSON.stringify(feature)}\n`).join('');
    ({ next } = page);
  } while (next !== null && !signal.aborted);
}

export const jobsAsEvents: Handler = async (request) => ({
  type: 'text/event-stream',
  body: watchJobs(request),
});

/** Each job once, then again whenever its status has changed. */
async function* watchJobs({ call, signal }: WebRequest): AsyncGenerator<string> {
  const seen = new Map<string, string>();
  for (const until = Date.now() + LONGEST_MS; Date.now() < until;) {
    const { jobs } = await call<{ jobs: readonly Job[] }>('processing.jobs.list', { limit: PAGE });
    const changed = jobs.filter(({ id, status }) => seen.get(id) !== status);
    for (const { id, status } of changed) seen.set(id, status);
    yield changed.map((job) => `event: job\ndata: ${JSON.stringify(job)}\n\n`).join('');
    if (jobs.every(({ finished_at }) => finished_at !== null)) {
      yield 'event: end\ndata: {}\n\n';
      return;
    }
    await wait(LOOK_MS, undefined, { signal });
  }
}
