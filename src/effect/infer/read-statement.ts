/** Whether a text of SQL, Cypher or GraphQL only looks. Anything that is not known to is not taken for a read. */
import type { SqlToken } from './lex-sql.ts';
import { lexSql } from './lex-sql.ts';

const LOOKS = words(
  `select with show desc describe explain values table use match return unwind optional help begin commit
  rollback end`,
);
const PRAGMAS =
  /^(?:table_x?info|table_list|index_list|index_info|foreign_key_list|database_list)$/;
/** Anywhere: not every dialect ends a statement with a semicolon, and a reading one can hold others. */
const CHANGES = words(
  `insert update delete drop alter create truncate grant revoke merge upsert into exec execute shutdown detach remove
  foreach`,
);
/** If a name or a value follows; else they name a column. */
const CHANGES_BEFORE = words('replace backup restore kill call do copy load set');
/** Functions that act when they are selected. */
const ACTING =
  /^(?:pg_(?:terminate|cancel)_\w+|pg_(?:read|write|reload|rotate|switch|promote)\w*|lo_\w+|dblink\w*|setval|nextval|xp_\w+|sp_\w+|load_\w+|sys_\w+|query_to_xml\w*|(?:delete|drop|purge|remove|truncate|destroy|erase|wipe|kill|terminate|cancel|revoke|grant|pay|transfer|refund|send|exec|execute|insert|update|set|http)_\w+)$/;
/** Functions that only compute. Others may be the database's own, and may do anything. */
const COMPUTING = words(
  `count sum avg min max coalesce nullif ifnull isnull lower upper length len trim ltrim rtrim substr substring replace
  concat concat_ws round floor ceil ceiling abs mod power sqrt sign now current_date current_timestamp date time
  datetime timestamp date_trunc date_part date_format date_add date_sub dateadd datediff extract strftime to_char
  to_date to_timestamp year month day hour minute cast convert greatest least row_number rank dense_rank lag lead
  first_value last_value ntile over partition json_extract json_build_object json_agg jsonb_agg array_agg string_agg
  group_concat exists in any all some not and or as case when then else distinct from where on join using values
  id labels type keys size collect head tail nodes relationships tostring tointeger toupper tolower pg_size_pretty
  pg_total_relation_size pg_relation_size version typeof printf instr like ilike between unnest generate_series
  percentile_cont percentile_disc stddev variance initcap position left right lpad rpad reverse split_part
  regexp_replace regexp_matches table_info table_xinfo index_list index_info foreign_key_list limit offset with by
  select union intersect except`,
);

export function isReadingStatement(text: string): boolean {
  const tokens = lexSql(text);
  if (tokens === undefined) return false;
  const bare = tokens.filter((_, at) => !isColumn(tokens, at));
  return (
    !bare.some((token, at) => changes(token, bare[at + 1])) &&
    statementsOf(bare).every(([first, second]) => isLook(first, second))
  );
}

/** It reads, and calls nothing that is not known to compute only. */
export function isPlainQuery(text: string): boolean {
  if (!isReadingStatement(text)) return false;
  const tokens = lexSql(text) ?? [];
  const named = tokens.filter(({ kind }) => kind === 'word');
  return (
    named.length > 0 &&
    tokens.every(
      (token, at) =>
        token.kind !== 'word' || tokens[at + 1]?.text !== '(' || COMPUTING.has(token.text),
    )
  );
}

/** `t.update`, but not `app.delete_user(1)` */
function isColumn(tokens: readonly SqlToken[], at: number): boolean {
  if (tokens[at]?.kind !== 'word' || tokens[at - 1]?.text !== '.') return false;
  return tokens[at + 1]?.text !== '(';
}

function changes({ kind, text }: SqlToken, next: SqlToken | undefined): boolean {
  if (kind !== 'word') return false;
  if (CHANGES.has(text)) return true;
  if (ACTING.test(text)) return next?.text === '(';
  return (
    CHANGES_BEFORE.has(text) && next !== undefined && next.kind !== 'sign' && next.text !== 'from'
  );
}

function statementsOf(tokens: readonly SqlToken[]): readonly (readonly SqlToken[])[] {
  const all: SqlToken[][] = [[]];
  for (const token of tokens) {
    if (token.text === ';') all.push([]);
    else if (token.text !== '(' || (all.at(-1)?.length ?? 0) > 0) all.at(-1)?.push(token);
  }
  return all;
}

function isLook(first: SqlToken | undefined, second: SqlToken | undefined): boolean {
  if (first === undefined) return true;
  if (first.text === 'pragma') return PRAGMAS.test(second?.text ?? '');
  return first.kind === 'word' && LOOKS.has(first.text);
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

/** A GraphQL document with an operation that changes something. */
export function isMutation(text: string): boolean {
  return text
    .split('{')
    .slice(0, -1)
    .some((part) => /(?:^|\s)mutation\b/.test(part.slice(part.lastIndexOf('}') + 1)));
}
