/** Nextcloud's sharing tools. They know one scope, so even the reads need the right to write. */
import type { Declaration } from 'plimsoll';
import { reads, revokes, shares, updates } from 'plimsoll';
import { declare } from '../golden.ts';
import { ownAccount } from './own-account.ts';

const WRITE = ['sharing:write'];

export const sharing: readonly Declaration[] = [
  declare('nc_share_create', 'Create Share', shares('file', ownAccount), WRITE),
  declare('nc_share_delete', 'Delete Share', revokes('share', ownAccount), WRITE),
  declare('nc_share_get', 'Get Share Details', reads('share', ownAccount), WRITE),
  declare('nc_share_list', 'List Shares', reads('share', ownAccount), WRITE),
  declare('nc_share_update', 'Update Share', updates('share', ownAccount), WRITE),
];
