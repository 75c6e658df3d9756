/** What orders would cost, and what can be ordered. Estimates change nothing. */
import type { Operation } from 'plimsoll/server';
import { estimates, reads } from 'plimsoll/server';
import * as z from 'zod';
import type { WantedCapture, WantedTasking } from '../estimates.ts';
import { estimateArchive, estimateTasking } from '../estimates.ts';
import type { Urgency } from '../pricing.ts';
import { toAud, URGENCIES } from '../pricing.ts';
import { SENSORS } from '../sensors.ts';
import type { Shop } from './declare.ts';
import { declare } from './declare.ts';
import { platform, vendor } from './facts.ts';
import { toBbox } from './refuse.ts';
import { bbox, CapturesOut, ErrorsOut, TaskingGroupsOut } from './schemas.ts';

const scopes = ['orders:read'];

const MOST_PARTS = 50;

export const captures = z
  .array(
    z.object({
      id: z.string().max(80).describe('A scene from catalog.search'),
      bbox: bbox.optional().describe('The requested part; default: the whole scene'),
    }),
  )
  .min(1)
  .max(MOST_PARTS)
  .describe('The scenes to buy');

export const taskingGroups = z
  .array(
    z.object({
      sensor: z.string().max(80).describe('A sensor from orders.tasking.sensors'),
      bbox,
      urgency: z
        .enum(Object.keys(URGENCIES) as [Urgency, ...Urgency[]])
        .default('standard')
        .describe('How soon; sooner costs more'),
      window_start: z.iso.datetime().describe('Not before'),
      window_end: z.iso.datetime().describe('Not after'),
    }),
  )
  .min(1)
  .max(MOST_PARTS)
  .describe('The captures to request');

export function toCaptures(given: z.output<typeof captures>): readonly WantedCapture[] {
  return given.map(({ id, bbox: part }, at) => ({
    id,
    ...(part !== undefined && { bbox: toBbox(part, `/captures/${at}/bbox`) }),
  }));
}

export function toTaskings(given: z.output<typeof taskingGroups>): readonly WantedTasking[] {
  return given.map((group, at) => ({
    sensor: group.sensor,
    bbox: toBbox(group.bbox, `/groups/${at}/bbox`),
    urgency: group.urgency,
    windowStart: new Date(group.window_start).toISOString(),
    windowEnd: new Date(group.window_end).toISOString(),
  }));
}

export function estimateOperations(shop: Shop): readonly Operation[] {
  const { store } = shop;
  return [
    declare(shop, {
      name: 'orders.archive.estimate',
      title: 'Estimate Archive Order',
      description:
        'Estimates what scenes from the archive would cost in credits. Nothing is ordered.',
      input: z.object({
        captures,
        splitByDate: z.boolean().default(false).describe('One group per day of capture'),
      }),
      output: z.object({
        groups: z.array(
          z.object({ date: z.string().nullable(), captures: CapturesOut, credits: z.int() }),
        ),
        errors: ErrorsOut,
        total_aud: z.number(),
        total_credits: z.int(),
      }),
      effect: estimates('credits', vendor),
      scopes,
      run: (input) => {
        const sceneOf = (id: string) => store.scenes.find(id);
        const { parts, errors, credits } = estimateArchive(toCaptures(input.captures), sceneOf);
        const dayOf = (id: string) =>
          input.splitByDate ? (sceneOf(id)?.acquiredAt.slice(0, 10) ?? null) : null;
        const groups = [...Map.groupBy(parts, ({ scene_id }) => dayOf(scene_id))].map(
          ([date, some]) => ({
            date,
            captures: some,
            credits: some.reduce((sum, part) => sum + part.credits, 0),
          }),
        );
        return { groups, errors, total_aud: toAud(credits), total_credits: credits };
      },
    }),

    declare(shop, {
      name: 'orders.tasking.estimate',
      title: 'Estimate Tasking Order',
      description: 'Estimates what new captures would cost in credits. Nothing is ordered.',
      input: z.object({ groups: taskingGroups }),
      output: z.object({
        groups: TaskingGroupsOut,
        errors: ErrorsOut,
        totalAud: z.number(),
        totalCredits: z.int(),
      }),
      effect: estimates('credits', vendor),
      scopes,
      run: (input, { at }) => {
        const { parts, errors, credits } = estimateTasking(toTaskings(input.groups), at);
        return { groups: parts, errors, totalAud: toAud(credits), totalCredits: credits };
      },
    }),

    declare(shop, {
      name: 'orders.tasking.sensors',
      title: 'List Tasking Sensors',
      description: 'Lists the sensors that can be tasked with new captures, with their prices.',
      input: z.object({}),
      output: z.object({
        sensors: z.array(
          z.object({
            id: z.string(),
            name: z.string(),
            kind: z.string(),
            gsd: z.number(),
            credits_per_km2: z.int(),
          }),
        ),
      }),
      effect: reads('sensor', platform),
      scopes,
      run: () => ({
        sensors: SENSORS.flatMap(({ id, name, kind, gsd, taskingCreditsPerKm2: price }) =>
          price === null ? [] : [{ id, name, kind, gsd, credits_per_km2: price }],
        ),
      }),
    }),
  ];
}
