/** Input and output schemas that several operations share. */
import * as z from 'zod';
import { ITEM_TYPES } from '../item.ts';
import { JOB_STATUSES } from '../job.ts';
import { ORDER_KINDS, ORDER_STATUSES } from '../order.ts';
import { REGIONS } from '../store/projects.ts';

const id = (what: string) => z.string().min(1).max(80).describe(what);

export const projectId = id('Which project');
export const collectionId = id('Which collection');
export const itemId = id('Which item');
export const assetId = id('Which asset of the item');
export const orderId = id('Which order');
export const jobId = id('Which job');

export const bbox = z.array(z.number()).length(4).describe('West, south, east, north in degrees');

export const datetime = z
  .string()
  .max(80)
  .describe('A day or instant, or two with a slash; .. leaves an end open');

export const limitOf = (usual: number, most = 500) =>
  z.int().min(1).max(most).default(usual).describe(`The most to return; default: ${usual}`);

export const offset = z.int().min(0).default(0).describe('How many to skip');

/** Any JSON object. */
export const properties = z.record(z.string(), z.unknown());

const BboxOut = z.tuple([z.number(), z.number(), z.number(), z.number()]).readonly();

export const ProjectOut = z.object({
  id: z.string(),
  organization_id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  gcs_region: z.enum(REGIONS),
  is_archived: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});

export const CollectionOut = z.object({
  id: z.string(),
  project_id: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  color: z.string().nullable(),
  show_on_map: z.boolean(),
  layer_order: z.int(),
  item_count: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
});

export const ItemOut = z.object({
  id: z.string(),
  project_id: z.string(),
  collection_id: z.string().nullable(),
  type: z.enum(ITEM_TYPES),
  name: z.string(),
  description: z.string().nullable(),
  bbox: BboxOut.nullable(),
  datetime: z.string().nullable(),
  cloud_cover: z.number().nullable(),
  gsd: z.number().nullable(),
  properties,
  order_id: z.string().nullable(),
  job_id: z.string().nullable(),
  duplicated_from_id: z.string().nullable(),
  created_by: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});

export const ItemsOut = z.object({ items: z.array(ItemOut).readonly(), total: z.int() });

export const AssetOut = z.object({
  id: z.string(),
  item_id: z.string(),
  key: z.string(),
  href: z.string(),
  media_type: z.string(),
  bytes: z.int(),
  band_names: z.array(z.string()).readonly(),
});

const CaptureOut = z.object({
  scene_id: z.string(),
  bbox: BboxOut,
  area_km2: z.number(),
  credits: z.int(),
});

const TaskingGroupOut = z.object({
  sensor_id: z.string(),
  urgency: z.string(),
  bbox: BboxOut,
  area_km2: z.number(),
  window_start: z.string(),
  window_end: z.string(),
  credits: z.int(),
});

export const CapturesOut = z.array(CaptureOut).readonly();
export const TaskingGroupsOut = z.array(TaskingGroupOut).readonly();

export const ErrorsOut = z.array(z.object({ index: z.int(), reason: z.string() })).readonly();

export const OrderOut = z.object({
  id: z.string(),
  project_id: z.string().nullable(),
  kind: z.enum(ORDER_KINDS),
  status: z.enum(ORDER_STATUSES),
  display_name: z.string(),
  tags: z.array(z.string()).readonly(),
  credits: z.int(),
  placed_by: z.string(),
  placed_at: z.string(),
  due_at: z.string(),
  closed_at: z.string().nullable(),
  captures: CapturesOut,
  groups: TaskingGroupsOut,
});

export const JobOut = z.object({
  id: z.string(),
  project_id: z.string().nullable(),
  process_id: z.string(),
  item_id: z.string(),
  status: z.enum(JOB_STATUSES),
  megapixels: z.number(),
  credits: z.int(),
  error: z.string().nullable(),
  result_item_id: z.string().nullable(),
  created_by: z.string(),
  created_at: z.string(),
  finished_at: z.string().nullable(),
});

/** Whether it was done, and to what. */
export const DoneOut = z.object({ ok: z.boolean(), id: z.string() });
