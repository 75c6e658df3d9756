/** Whether a text of SQL or Cypher only looks. Anything that is not known to is not taken for a read. */
import type { SqlToken } from './lex-sql.ts';
import { lexSql } from './lex-sql.ts';
import { ACTING, COMPUTING } from './sql-functions.ts';

const LOOKS = words(
  'select with show desc describe explain values table use match return unwind optional help',
);
/** Alone or with these words; in Oracle, a block of code begins and ends so. */
const TRANSACTION = words('begin start commit rollback end');
const OF_TRANSACTION = words('transaction tran work read only');
const PRAGMAS =
  /^(?:table_x?info|table_list|index_list|index_info|foreign_key_list|database_list)$/;
/** Anywhere: not every dialect ends a statement with a semicolon, and a reading one can hold others. */
const CHANGES = words(
  `insert update delete drop alter create truncate grant revoke merge upsert into exec execute shutdown detach remove
  foreach reconfigure checkpoint setuser dbcc waitfor raiserror writetext updatetext deallocate`,
);
/** If a name or a value follows; else they name a column. */
const CHANGES_BEFORE = words(
  `replace backup restore kill call do copy load set deny disable enable bulk receive send move open close declare print
  throw rename save vacuum reindex refresh notify unload import export install uninstall attach undrop optimize flush
  purge reset lock unlock handler add`,
);
/** What may stand after a column. */
const AFTER_COLUMN = words(
  `from as and or is in not like ilike between asc desc nulls end then else when order group limit where having union
  intersect except`,
);

export function isReadingStatement(text: string): boolean {
  const tokens = lexSql(text);
  return tokens !== undefined && isReading(tokens);
}

function isReading(tokens: readonly SqlToken[]): boolean {
  const bare = tokens.filter((_, at) => !isColumn(tokens, at));
  return (
    !bare.some((token, at) => changes(token, bare[at + 1])) &&
    !tokens.some((_, at) => callsQuoted(tokens, at)) &&
    statementsOf(bare).every(isLook)
  );
}

/** It asks for something, in the form that a query has, and calls nothing that is not known to compute only. */
export function isPlainQuery(text: string): boolean {
  const tokens = lexSql(text);
  if (tokens === undefined || !isReading(tokens)) return false;
  const statements = statementsOf(tokens).filter((one) => one.length > 0);
  return (
    statements.length > 0 &&
    statements.every(isQuery) &&
    !tokens.some(({ kind, text: word }) => kind === 'word' && UNDOES.has(word)) &&
    tokens.every((_, at) => !callsUnknown(tokens, at))
  );
}
/** Without a semicolon before them, in T-SQL. */
const UNDOES = words('rollback commit revert');

/** `t.update`, but not `app.delete_user(1)` */
function isColumn(tokens: readonly SqlToken[], at: number): boolean {
  if (tokens[at]?.kind !== 'word' || tokens[at - 1]?.text !== '.') return false;
  return tokens[at + 1]?.text !== '(';
}

/** `"delete_user"(5)`, `[dbo].[purge](1)`: nobody quotes a function that every database has. */
function callsQuoted(tokens: readonly SqlToken[], at: number): boolean {
  const token = tokens[at];
  if (tokens[at + 1]?.text !== '(' || token === undefined) return false;
  return token.text === ']' || (token.kind === 'name' && !COMPUTING.has(token.text));
}

/** `app.count(1)` is not the one that every database has. */
function callsUnknown(tokens: readonly SqlToken[], at: number): boolean {
  const token = tokens[at];
  if (tokens[at + 1]?.text !== '(' || token === undefined) return false;
  if (token.kind === 'name') return true;
  return token.kind === 'word' && (!COMPUTING.has(token.text) || tokens[at - 1]?.text === '.');
}

function changes({ kind, text }: SqlToken, next: SqlToken | undefined): boolean {
  if (kind !== 'word') return false;
  if (CHANGES.has(text)) return true;
  if (ACTING.test(text)) return next?.text === '(';
  return (
    CHANGES_BEFORE.has(text) &&
    next !== undefined &&
    next.kind !== 'sign' &&
    !(next.kind === 'word' && AFTER_COLUMN.has(next.text))
  );
}

function statementsOf(tokens: readonly SqlToken[]): readonly (readonly SqlToken[])[] {
  const all: SqlToken[][] = [[]];
  for (const token of tokens) {
    if (token.text === ';' && token.kind === 'sign') all.push([]);
    else if (token.text !== '(' || (all.at(-1)?.length ?? 0) > 0) all.at(-1)?.push(token);
  }
  return all;
}

function isLook([first, second, ...rest]: readonly SqlToken[]): boolean {
  if (first === undefined) return true;
  if (first.kind !== 'word') return false;
  if (first.text === 'pragma') return PRAGMAS.test(second?.text ?? '');
  if (TRANSACTION.has(first.text))
    return [second, ...rest].every((one) => one === undefined || OF_TRANSACTION.has(one.text));
  return LOOKS.has(first.text);
}

/** "With love", "Show everybody" and "Table reservation" begin with a word of SQL and are none. */
function isQuery(statement: readonly SqlToken[]): boolean {
  const [first, second] = statement;
  const next = second?.kind === 'word' ? second.text : '';
  const has = (word: string): boolean =>
    statement.some(({ kind, text }) => kind === 'word' && text === word);
  switch (first?.text ?? '') {
    case 'select':
      return second !== undefined;
    case 'with':
      return has('as') && (has('select') || has('return'));
    case 'explain':
      return has('select') || has('match');
    case 'values':
    case 'match':
    case 'optional':
      return statement.some(({ text }) => text === '(');
    case 'show':
      return SHOWN.has(next);
    case 'desc':
    case 'describe':
      return statement.length <= LONGEST_NAME;
    case 'unwind':
      return has('return');
    case 'use':
      return statement.length === 2;
    default:
      return first?.text === 'pragma';
  }
}
const SHOWN = words(
  `tables databases schemas columns fields index indexes keys views variables status processlist full table engines
  warehouses functions procedures triggers events collation charset extended global session`,
);
/** `describe table a.b.c` */
const LONGEST_NAME = 7;

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}
