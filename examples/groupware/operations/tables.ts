/** Tables and their rows. */
import type { Operation } from 'plimsoll/server';
import { creates, deletes, reads, updates } from 'plimsoll/server';
import * as z from 'zod';
import type { TableRow } from '../backend.ts';
import { COLUMN_TYPES } from '../backend.ts';
import type { Groupware } from './declare.ts';
import { declare, ownAccount } from './declare.ts';
import { etag, id, maybe, Removed, text } from './parameters.ts';

const READ = ['tables:read'];
const WRITE = ['tables:write'];

const cell = z.union([text(20_000), z.number(), z.null()]);
const Data = z.record(z.string().regex(/^\d+$/), cell);
const RowOut = z.object({ id: z.int(), table_id: z.int(), data: Data, etag });

const tableId = id('table');
const rowId = id('row');

export function tableOperations(groupware: Groupware): readonly Operation[] {
  return [
    declare(groupware, {
      name: 'nc_tables_list_tables',
      title: 'List Tables',
      description: 'Lists the tables with the number of their rows.',
      input: z.object({}),
      output: z.object({
        tables: z.array(z.object({ id: z.int(), title: z.string(), row_count: z.int() })),
      }),
      effect: reads('table', ownAccount),
      scopes: READ,
      run: async (_, { tables }) => ({ tables: [...(await tables.list())] }),
    }),

    declare(groupware, {
      name: 'nc_tables_get_schema',
      title: 'Get Table Schema',
      description: 'Returns the columns of a table: their ids, titles and types.',
      input: z.object({ table_id: tableId }),
      output: z.object({
        columns: z.array(
          z.object({
            id: z.int(),
            title: z.string(),
            type: z.enum(COLUMN_TYPES),
            mandatory: z.boolean(),
            options: z.array(z.string()),
          }),
        ),
      }),
      effect: reads('table schema', ownAccount),
      scopes: READ,
      run: async ({ table_id }, { tables }) => ({
        columns: (await tables.columns(table_id)).map((column) => ({
          ...column,
          options: [...column.options],
        })),
      }),
    }),

    declare(groupware, {
      name: 'nc_tables_read_table',
      title: 'Read Table Rows',
      description: 'Returns rows of a table, oldest first.',
      input: z.object({
        table_id: tableId,
        limit: maybe(z.int().min(1).max(1000)).describe('How many at most; 100 if left out'),
        offset: maybe(z.int().min(0)).describe('How many to skip'),
      }),
      output: z.object({ rows: z.array(RowOut) }),
      effect: reads('row', ownAccount),
      scopes: READ,
      run: async ({ table_id, limit, offset }, { tables }) => {
        const rows = await tables.rows(table_id, { limit: limit ?? 100, offset: offset ?? 0 });
        return { rows: rows.map(toOut) };
      },
    }),

    declare(groupware, {
      name: 'nc_tables_insert_row',
      title: 'Insert Table Row',
      description: 'Adds a row to a table. A second call adds a second row.',
      input: z.object({
        table_id: tableId,
        data: Data.describe('Values by column id, as nc_tables_get_schema returns them'),
      }),
      output: RowOut,
      effect: creates('row', ownAccount),
      scopes: WRITE,
      produces: ['row'],
      run: async ({ table_id, data }, { tables }) => toOut(await tables.insert(table_id, data)),
    }),

    declare(groupware, {
      name: 'nc_tables_update_row',
      title: 'Update Table Row',
      description:
        'Changes values of a row; columns that are left out keep theirs. It takes no etag: the latest version is changed.',
      input: z.object({ row_id: rowId, data: Data.describe('New values by column id') }),
      output: RowOut,
      effect: updates('row', ownAccount),
      scopes: WRITE,
      run: async ({ row_id, data }, { tables }) => toOut(await tables.update(row_id, data)),
    }),

    declare(groupware, {
      name: 'nc_tables_delete_row',
      title: 'Delete Table Row',
      description: 'Permanently deletes a row.',
      input: z.object({ row_id: rowId }),
      output: Removed,
      effect: deletes('row', ownAccount),
      scopes: WRITE,
      run: async ({ row_id }, { tables }) => ({ deleted: await tables.remove(row_id) }),
    }),
  ];
}

function toOut(row: TableRow): z.infer<typeof RowOut> {
  return { ...row, data: { ...row.data } };
}
