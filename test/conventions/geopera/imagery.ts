/** The organization's own imagery: items, collections, views of them, uploads and share links. */
import type { Declaration } from 'plimsoll';
import { creates, deletes, reads, revokes, sets, shares, updates } from 'plimsoll';
import { declare } from '../golden.ts';
import { account, final, outside, platform } from './facts.ts';

const itemsRead = ['items:read'];
const itemsWrite = ['items:write'];
const collectionsRead = ['collections:read'];
const collectionsWrite = ['collections:write'];
const uploadsWrite = ['uploads:write'];
const sharesRead = ['shares:read'];
const sharesWrite = ['shares:write'];

export const imagery: readonly Declaration[] = [
  // Items
  declare('items.create', 'Create Item', creates('item', account), itemsWrite, ['item']),
  declare('items.duplicate', 'Duplicate Item', creates('item', account), itemsWrite, ['item']),
  declare('items.update', 'Update Item', updates('item', account), itemsWrite),
  declare('items.delete', 'Delete Item', deletes('item', account), itemsWrite),
  declare('items.get', 'Get Item', reads('item', account), itemsRead),
  declare('items.get_stac', 'Get Item as STAC', reads('item', account), itemsRead),
  declare('items.list', 'List Items', reads('item', account), itemsRead),
  declare(
    'items.list_by_collection',
    'List Items in Collection',
    reads('item', account),
    itemsRead,
  ),
  declare('items.search', 'Search Project Items', reads('item', account), itemsRead),
  declare('items.search_org', 'Search Organization Items', reads('item', account), itemsRead),
  declare('items.lineage', 'Get Item Lineage', reads('lineage', account), itemsRead),
  declare('stac.collections.list', 'List STAC Collections', reads('item', account), itemsRead),
  declare('stac.search', 'Search STAC Items', reads('item', account), itemsRead),

  // Assets
  declare('items.list_assets', 'List Item Assets', reads('asset', account), itemsRead),
  declare('items.detect_asset_bands', 'Detect Asset Bands', reads('asset', account), itemsRead),
  declare(
    'items.set_asset_band_names',
    'Set Asset Band Names',
    sets('band names', { ...account, overwrites: true }),
    itemsWrite,
  ),
  declare('assets.delete', 'Delete Asset', deletes('asset', account), itemsWrite),
  // Every call opens the file again, so nothing in the answer is shown only once.
  declare(
    'items.asset.download',
    'Download Asset',
    shares('asset', { ...outside, ...final }),
    itemsRead,
  ),

  // Collections
  declare(
    'collections.create',
    'Create Collection',
    creates('collection', account),
    collectionsWrite,
    ['collection'],
  ),
  declare(
    'collections.update',
    'Update Collection',
    updates('collection', account),
    collectionsWrite,
  ),
  declare(
    'collections.delete',
    'Delete Collection',
    deletes('collection', account),
    collectionsWrite,
  ),
  declare('collections.get', 'Get Collection', reads('collection', account), collectionsRead),
  declare('collections.list', 'List Collections', reads('collection', account), collectionsRead),

  // Views
  declare('items.tile.statistics', 'Get Item Statistics', reads('item', account), itemsRead),
  declare('items.tile.tilejson', 'Get Item TileJSON', reads('item', account), itemsRead),
  declare(
    'visualization.profile.create',
    'Create View Profile',
    creates('view profile', account),
    itemsWrite,
    ['visualization_profile'],
  ),
  declare(
    'visualization.profile.update',
    'Update View Profile',
    updates('view profile', account),
    itemsWrite,
  ),
  declare(
    'visualization.profile.set_default',
    'Set Default View Profile',
    sets('default view profile', account),
    itemsWrite,
  ),
  declare(
    'visualization.profile.delete',
    'Delete View Profile',
    deletes('view profile', account),
    itemsWrite,
  ),
  declare(
    'visualization.profile.get',
    'Get View Profile',
    reads('view profile', account),
    itemsRead,
  ),
  declare(
    'visualization.profiles.list',
    'List View Profiles',
    reads('view profile', account),
    itemsRead,
  ),

  // Uploads
  declare('uploads.initiate', 'Start Upload', creates('upload', account), uploadsWrite, ['upload']),
  declare(
    'uploads.signed_url',
    'Get Upload Link',
    shares('upload link', { ...outside, ...final, secrets: ['upload_url'] }),
    uploadsWrite,
  ),
  declare('uploads.progress', 'Report Upload Progress', updates('upload', account), uploadsWrite),
  declare('uploads.complete', 'Complete Upload', creates('item', account), uploadsWrite, ['item']),
  declare(
    'uploads.fail',
    'Mark Upload Failed',
    sets('upload failure', { ...account, ...final }),
    uploadsWrite,
  ),

  // Share links: whoever holds the token gets in, and redeems it without an account.
  declare(
    'share.link.create',
    'Create Share Link',
    shares('link', { ...outside, secrets: ['token'] }),
    sharesWrite,
    ['share_link'],
  ),
  declare('share.link.revoke', 'Revoke Share Link', revokes('link', account), sharesWrite),
  declare('share.link.validate', 'Open Share Link', reads('shared item', platform), sharesRead),
  declare('share.tilejson', 'Get Shared TileJSON', reads('shared item', platform), sharesRead),
];
