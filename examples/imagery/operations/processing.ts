/** Processing: what can be run on an item and for how much, and the jobs that run it. */
import type { Operation } from 'plimsoll/server';
import { deletes, estimates, reads, spends } from 'plimsoll/server';
import * as z from 'zod';
import { JOB_STATUSES } from '../job.ts';
import type { JobQuote } from '../pricing.ts';
import { quoteJob, toAud } from '../pricing.ts';
import type { Process } from '../processes.ts';
import { findProcess, PROCESSES } from '../processes.ts';
import type { Caller, Shop } from './declare.ts';
import { declare } from './declare.ts';
import { account, paid, platform } from './facts.ts';
import { found, foundItem, invalid, openProject, refuseOtherPrice, refuseShort } from './refuse.ts';
import { DoneOut, itemId, jobId, JobOut, limitOf, projectId } from './schemas.ts';

const read = ['processing:read'];
const run = ['processing:process'];

const processId = z.string().max(80).describe('Which process, from processing.catalog.list');
const inputs = z
  .object({ item_id: itemId.describe('The item to work on') })
  .describe('What the process works on');

const ProcessOut = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  category: z.string(),
  credits_per_megapixel: z.number(),
  max_cloud_cover: z.number(),
  produces: z.string(),
});

export function processingOperations(shop: Shop): readonly Operation[] {
  const { store } = shop;

  /** The price of running a process, or why it cannot run. */
  function price(process: Process, id: string, organisation: string): JobQuote | string {
    const { bbox, gsd } = foundItem(store, organisation, id);
    if (bbox === null || gsd === null) return `Item ${id} has no area or no resolution.`;
    return quoteJob(process, bbox, gsd);
  }

  function mustPrice(process: Process, id: string, { organisation }: Caller): JobQuote {
    const quote = price(process, id, organisation);
    return typeof quote === 'string' ? invalid('/inputs/item_id', quote) : quote;
  }

  return [
    declare(shop, {
      name: 'processing.catalog.list',
      title: 'List Processes',
      description: 'Lists the processes for imagery, with prices per megapixel.',
      input: z.object({}),
      output: z.object({ processes: z.array(ProcessOut) }),
      effect: reads('process', platform),
      scopes: read,
      run: () => ({ processes: PROCESSES.map(toProcessOut) }),
    }),

    declare(shop, {
      name: 'processing.catalog.get',
      title: 'Get Process',
      description: 'Returns one process.',
      input: z.object({ process_id: processId }),
      output: ProcessOut,
      effect: reads('process', platform),
      scopes: read,
      run: ({ process_id }) => toProcessOut(foundProcess(process_id)),
    }),

    declare(shop, {
      name: 'processing.catalog.validate',
      title: 'Check Process Inputs',
      description: 'Checks whether a process could run on an item, without running it.',
      input: z.object({ process_id: processId, inputs }),
      output: z.object({ valid: z.boolean(), reason: z.string().nullable() }),
      effect: reads('process', platform),
      scopes: read,
      run: ({ process_id, inputs: { item_id } }, { organisation }) => {
        const quote = price(foundProcess(process_id), item_id, organisation);
        return typeof quote === 'string'
          ? { valid: false, reason: quote }
          : { valid: true, reason: null };
      },
    }),

    declare(shop, {
      name: 'processing.catalog.estimate',
      title: 'Estimate Process',
      description:
        'Estimates what running a process on an item would cost in credits. Nothing is run.',
      input: z.object({ process_id: processId, inputs }),
      output: z.object({ megapixels: z.number(), total_aud: z.number(), total_credits: z.int() }),
      effect: estimates('credits', account),
      scopes: read,
      run: ({ process_id, inputs: { item_id } }, caller) => {
        const { megapixels, credits } = mustPrice(foundProcess(process_id), item_id, caller);
        return { megapixels, total_aud: toAud(credits), total_credits: credits };
      },
    }),

    declare(shop, {
      name: 'processing.execute',
      title: 'Run Process',
      description:
        'Runs a process on an item. The credits that processing.catalog.estimate returns are reserved now and charged on success.',
      input: z.object({
        process_id: processId,
        workspaceId: projectId.describe('The project that pays and gets the result'),
        inputs,
        expected_credits: z
          .int()
          .positive()
          .optional()
          .describe('The price that was shown; another price is refused'),
      }),
      output: JobOut,
      effect: spends('credits', {
        ...paid,
        estimate: 'processing.catalog.estimate',
        reserves: true,
      }),
      scopes: run,
      produces: ['job'],
      run: ({ process_id, workspaceId, inputs: { item_id }, expected_credits }, caller) => {
        const first = store.jobs.findByKey(caller.organisation, caller.key);
        if (first !== undefined) return first;
        openProject(store, caller.organisation, workspaceId);
        const quote = mustPrice(foundProcess(process_id), item_id, caller);
        refuseOtherPrice(quote.credits, expected_credits);
        const wanted = { project_id: workspaceId, process_id, item_id, ...quote };
        const queued = store.jobs.queue(caller, caller.key, wanted);
        return queued.kind === 'short' ? refuseShort(queued) : queued.job;
      },
    }),

    declare(shop, {
      name: 'processing.jobs.list',
      title: 'List Jobs',
      description: 'Lists the processing jobs of the organisation, newest first.',
      input: z.object({
        workspaceId: projectId.optional().describe('Only jobs of this project'),
        processId: processId.optional().describe('Only jobs that run this process'),
        status: z.enum(JOB_STATUSES).optional().describe('Only jobs in this state'),
        limit: limitOf(20),
        page: z.int().min(0).default(0).describe('Which page; the first is 0'),
      }),
      output: z.object({ jobs: z.array(JobOut).readonly(), page: z.int() }),
      effect: reads('processing job', account),
      scopes: read,
      run: ({ workspaceId, processId: process, status, limit, page }, { organisation }) => {
        const query = { projectId: workspaceId, processId: process, status };
        const jobs = store.jobs.list(organisation, query, { limit, offset: page * limit });
        return { jobs, page };
      },
    }),

    declare(shop, {
      name: 'processing.job.get',
      title: 'Get Job',
      description: 'Returns one processing job: its progress and its result.',
      input: z.object({ job_id: jobId }),
      output: JobOut,
      effect: reads('processing job', account),
      scopes: read,
      run: ({ job_id }, { organisation }) =>
        found(store.jobs.find(organisation, job_id), 'job', job_id),
    }),

    declare(shop, {
      name: 'processing.job.delete',
      title: 'Delete Processing Job',
      description:
        'Permanently deletes a job. A running one is stopped, and its credits are released; items it made stay.',
      input: z.object({ job_id: jobId }),
      output: DoneOut,
      effect: deletes('processing job', account),
      scopes: ['clip:destroy'],
      run: ({ job_id }, caller) => {
        const isDeleted = store.jobs.delete(caller, job_id);
        return { ok: found(isDeleted || undefined, 'job', job_id), id: job_id };
      },
    }),
  ];
}

function foundProcess(id: string): Process {
  return found(findProcess(id), 'process', id);
}

function toProcessOut(process: Process): z.input<typeof ProcessOut> {
  const { id, name, description, category, produces } = process;
  return {
    id,
    name,
    description,
    category,
    credits_per_megapixel: process.creditsPerMegapixel,
    max_cloud_cover: process.maxCloudCover,
    produces,
  };
}
