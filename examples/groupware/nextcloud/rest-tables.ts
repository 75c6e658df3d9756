/** The tables app over its REST API, versions 1 and 2. */
import * as z from 'zod';
import type { CellValue, Column, TableRow, Tables } from '../backend.ts';
import { COLUMN_TYPES } from '../backend.ts';
import type { GroupwareClient } from './client.ts';
import { ocsData, wasThere } from './rest.ts';

const RawTable = z.object({ id: z.number(), title: z.string(), rowsCount: z.number().default(0) });
const RawColumn = z.object({
  id: z.number(),
  title: z.string(),
  type: z.string(),
  mandatory: z.boolean().default(false),
  selectionOptions: z.array(z.object({ label: z.string() })).nullish(),
});
const RawRow = z.object({
  id: z.number(),
  tableId: z.number(),
  lastEditAt: z.string().default(''),
  data: z.array(z.object({ columnId: z.number(), value: z.unknown() })),
});

export function restTables(client: GroupwareClient, base: string): Tables {
  const v1 = `${base}/apps/tables/api/1`;
  const v2 = `${base}/ocs/v2.php/apps/tables/api/2`;
  return {
    list: async () =>
      z
        .array(RawTable)
        .parse(await ocsData(client.json('GET', `${v2}/tables`)))
        .map(({ id, title, rowsCount }) => ({ id, title, row_count: rowsCount })),
    columns: async (tableId) => {
      const answer = await client.json('GET', `${v1}/tables/${tableId}/scheme`);
      return z
        .object({ columns: z.array(z.unknown()) })
        .parse(answer)
        .columns.map(toColumn);
    },
    rows: async (tableId, { limit, offset }) => {
      const url = `${v1}/tables/${tableId}/rows?limit=${limit}&offset=${offset}`;
      return z
        .array(z.unknown())
        .parse(await client.json('GET', url))
        .map(toRow);
    },
    insert: async (tableId, data) =>
      toRow(await ocsData(client.json('POST', `${v2}/tables/${tableId}/rows`, { data }))),
    update: async (rowId, data) => toRow(await client.json('PUT', `${v1}/rows/${rowId}`, { data })),
    remove: (rowId) => wasThere(client.json('DELETE', `${v1}/rows/${rowId}`)),
  };
}

function toColumn(raw: unknown): Column {
  const { id, title, type, mandatory, selectionOptions } = RawColumn.parse(raw);
  const known = COLUMN_TYPES.find((each) => each === type) ?? 'text';
  const options = (selectionOptions ?? []).map(({ label }) => label);
  return { id, title, type: known, mandatory, options };
}

function toRow(raw: unknown): TableRow {
  const { id, tableId, lastEditAt, data } = RawRow.parse(raw);
  const cells = data.map(({ columnId, value }) => [String(columnId), toCell(value)] as const);
  // The app has no tags; when a row was last edited is the nearest thing.
  return { id, table_id: tableId, etag: lastEditAt, data: Object.fromEntries(cells) };
}

function toCell(value: unknown): CellValue {
  if (typeof value === 'string' || typeof value === 'number') return value;
  return value === null || value === undefined ? null : JSON.stringify(value);
}
