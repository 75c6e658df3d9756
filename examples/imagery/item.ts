/** An item: imagery of an organisation, with its files. Fields are named as in the public API. */
import type { Bbox } from './area.ts';

export const ITEM_TYPES = [
  'satellite_capture',
  'derived_raster',
  'derived_vector',
  'clip',
  'user_raster',
  'user_vector',
  'external_reference',
] as const;
type ItemType = (typeof ITEM_TYPES)[number];

export interface Item {
  readonly id: string;
  readonly project_id: string;
  readonly collection_id: string | null;
  readonly type: ItemType;
  readonly name: string;
  readonly description: string | null;
  readonly bbox: Bbox | null;
  readonly datetime: string | null;
  readonly cloud_cover: number | null;
  readonly gsd: number | null;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly order_id: string | null;
  readonly job_id: string | null;
  readonly duplicated_from_id: string | null;
  readonly created_by: string;
  readonly created_at: string;
  readonly updated_at: string;
}

/** What a new item needs; everything else is optional. */
export type NewItem = Pick<Item, 'project_id' | 'type' | 'name'> &
  Partial<Omit<Item, 'id' | 'created_by' | 'created_at' | 'updated_at'>>;

export type ItemChanges = Partial<
  Pick<Item, 'collection_id' | 'name' | 'description' | 'properties' | 'cloud_cover' | 'gsd'>
>;

export interface Asset {
  readonly id: string;
  readonly item_id: string;
  readonly key: string;
  readonly media_type: string;
  readonly bytes: number;
  readonly band_names: readonly string[];
}

export type NewAsset = Omit<Asset, 'id' | 'item_id'>;

export interface ItemQuery {
  readonly projectId?: string | undefined;
  readonly collectionId?: string | undefined;
  /** Only items in no collection. */
  readonly uncollected?: boolean | undefined;
  readonly orderId?: string | undefined;
  readonly type?: ItemType | undefined;
  /** ISO instants, both included. */
  readonly from?: string | undefined;
  readonly until?: string | undefined;
}
