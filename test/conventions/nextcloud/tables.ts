/** Nextcloud's table tools. */
import type { Declaration } from 'plimsoll';
import { creates, deletes, reads, updates } from 'plimsoll';
import { declare } from '../golden.ts';
import { ownAccount } from './own-account.ts';

const READ = ['tables:read'];
const WRITE = ['tables:write'];

export const tables: readonly Declaration[] = [
  declare('nc_tables_list_tables', 'List Tables', reads('table', ownAccount), READ),
  declare('nc_tables_get_schema', 'Get Table Schema', reads('table schema', ownAccount), READ),
  declare('nc_tables_read_table', 'Read Table Rows', reads('row', ownAccount), READ),
  declare('nc_tables_insert_row', 'Insert Table Row', creates('row', ownAccount), WRITE),
  declare('nc_tables_update_row', 'Update Table Row', updates('row', ownAccount), WRITE),
  declare('nc_tables_delete_row', 'Delete Table Row', deletes('row', ownAccount), WRITE),
];
