/** The SQLite file of the store, with the rows that its tables have. */
import { Database as AnyDatabase } from '../../shared/database.ts';

/** No table holds bytes, and no number is beyond what a double holds. */
export type Row = Readonly<Record<string, string | number | null>>;

export const Database = AnyDatabase<Row>;
export type Database = AnyDatabase<Row>;
