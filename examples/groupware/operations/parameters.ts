/** Parameters and results that several modules have. */
import * as z from 'zod';

export const id = (what: string): z.ZodInt => z.int().min(1).describe(`Id of the ${what}`);

export const text = (most = 1000): z.ZodString => z.string().max(most);

/** Leaving it out means no filter, or a value that stays as it is. */
export const maybe = <T extends z.ZodType>(schema: T): z.ZodOptional<T> => schema.optional();

export const limit = (usual: number): z.ZodDefault<z.ZodInt> =>
  z.int().min(1).max(500).default(usual);

export const offset = z.int().min(0).default(0).describe('How many to skip');

export const etag = z.string().describe('Version tag; changes with every change');

export const Removed = z.object({
  deleted: z.boolean().describe('Whether there was something to delete'),
});
