/** What the REST adapters share: objects that are not there, and the envelope of the OCS API. */
import { ProblemError } from 'plimsoll/server';
import * as z from 'zod';
import { RefusedError } from './client.ts';

export function refusedWith(error: unknown, status: number): boolean {
  return error instanceof RefusedError && error.status === status;
}

function isMissing(error: unknown): boolean {
  return error instanceof ProblemError && error.problem.code === 'not-found';
}

export async function orMissing<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw error;
  }
}

/** Whether a delete found something. */
export async function wasThere(answer: Promise<unknown>): Promise<boolean> {
  try {
    await answer;
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

const Envelope = z.object({ ocs: z.object({ data: z.unknown() }) });

export async function ocsData(answer: Promise<unknown>): Promise<unknown> {
  return Envelope.parse(await answer).ocs.data;
}
