/** Tables with typed columns on SQLite. A row that its columns do not allow is refused. */
import type { Column, Tables, TableRow } from '../backend.ts';
import { found, invalid } from '../refuse.ts';
import type { Database } from '../../shared/database.ts';
import { Table } from './table.ts';

interface StoredTable {
  readonly id: number;
  readonly etag: string;
  readonly title: string;
  readonly columns: readonly Column[];
}

export function embeddedTables(db: Database, user: string): Tables {
  const tables = new Table<StoredTable>(db, 'tables', 'table', { json: ['columns'] });
  const rows = new Table<TableRow>(db, 'table_rows', 'row', { json: ['data'] });
  const columnsOf = (id: number): readonly Column[] =>
    found(tables.find(user, id), 'table', id).columns;
  return {
    list: async () =>
      tables.select(user, 'ORDER BY id').map(({ id, title }) => ({
        id,
        title,
        row_count: Number(
          db.get('SELECT count(*) AS n FROM table_rows WHERE table_id = :id', { id })?.['n'],
        ),
      })),
    columns: async (tableId) => columnsOf(tableId),
    rows: async (tableId, { limit, offset }) => {
      columnsOf(tableId);
      const rest = 'AND table_id = :tableId ORDER BY id LIMIT :limit OFFSET :offset';
      return rows.select(user, rest, { tableId, limit, offset });
    },
    insert: async (tableId, data) => {
      const columns = columnsOf(tableId);
      checkCells(columns, data);
      const complete = Object.fromEntries(columns.map(({ id }) => [id, data[id] ?? null]));
      for (const { id, title, mandatory } of columns) {
        if (mandatory && complete[id] === null)
          throw invalid(`/data/${id}`, `${title} is missing.`);
      }
      return rows.insert(user, { table_id: tableId, data: complete });
    },
    update: async (rowId, data) =>
      db.atomically(() => {
        const before = found(rows.find(user, rowId), 'row', rowId);
        checkCells(columnsOf(before.table_id), data);
        return found(rows.update(user, rowId, { data: { ...before.data, ...data } }), 'row', rowId);
      }),
    remove: async (rowId) => rows.remove(user, rowId),
  };
}

function checkCells(columns: readonly Column[], data: TableRow['data']): void {
  for (const [key, value] of Object.entries(data)) {
    const column = columns.find(({ id }) => String(id) === key);
    if (column === undefined) throw invalid(`/data/${key}`, `The table has no column ${key}.`);
    const fault = faultOf(column, value);
    if (fault !== undefined) throw invalid(`/data/${key}`, `${column.title} ${fault}.`);
  }
}

function faultOf({ type, mandatory, options }: Column, value: string | number | null) {
  if (value === null) return mandatory ? 'is required' : undefined;
  if (type === 'number') return typeof value === 'number' ? undefined : 'is a number';
  if (typeof value !== 'string') return 'is a text';
  if (type === 'datetime' && Number.isNaN(Date.parse(value))) return 'is a date in ISO 8601';
  if (type === 'selection' && !options.includes(value)) return `is one of ${options.join(', ')}`;
  return undefined;
}
