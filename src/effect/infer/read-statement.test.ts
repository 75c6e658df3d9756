import { describe, expect, it } from 'vitest';
import { isMutation } from './is-mutation.ts';
import { isPlainQuery, isReadingStatement } from './read-statement.ts';

describe('a statement', () => {
  it.each([
    'SELECT 1',
    ' select a, b from t where c = 5 order by d; ',
    '-- how many\nSELECT count(*) FROM t',
    '/* all */ (select 1)',
    'EXPLAIN SELECT 1',
    'SHOW TABLES; DESCRIBE t',
    "SELECT * FROM t WHERE a = 'drop table t; delete'",
    'SELECT replace(a, b, c), updated_at, created FROM deletes',
    'SELECT load, call, copies FROM metrics LIMIT 5',
    'PRAGMA table_info(t)',
    'MATCH (n) RETURN n',
    'SELECT a AS "delete", `update` FROM t',
    'SELECT t.update, t.set FROM t -- the last ones',
    "SELECT ARRAY['drop', 'x'] FROM t",
    "SELECT 'it''s' FROM t",
    'SELECT * FROM t WHERE id = $1 AND b = $2',
    "SELECT * FROM t WHERE a ~ '^\\d+$'",
    'SELECT 1.5e3, .5, 0xFF, a.b FROM t ORDER BY close DESC',
    '-- all of them\r\nSELECT 1',
    'BEGIN; SELECT 1; COMMIT',
    'BEGIN TRANSACTION READ ONLY; SELECT 1; END',
    '',
  ])('reads: %s', (text) => {
    expect(isReadingStatement(text)).toBe(true);
  });

  it.each([
    'DROP TABLE t',
    'select 1; drop table t',
    'WITH x AS (DELETE FROM t RETURNING *) SELECT * FROM x',
    'EXPLAIN ANALYZE DELETE FROM t',
    '/*! DROP TABLE t */',
    'select 1 /*! ; drop table t */',
    "select 1 -- don't\n; drop table t -- won't",
    'select "it\'s"; drop table t; select "it\'s"',
    "select '\\'; drop table t; -- '",
    "select $a$'$a$; drop table t; select $a$'$a$",
    'SELECT * INTO backup FROM t',
    'SELECT pg_terminate_backend(1)',
    "SELECT * FROM dblink('x', 'y')",
    'CALL refresh()',
    'DO $$ BEGIN END $$',
    'frobnicate t',
    'SELECT 1 EXEC xp_cmdshell',
    'MATCH (n) DETACH DELETE n',
    'MATCH (n) SET n.admin = true',
    'PRAGMA writable_schema = 1',
    'ＤＲＯＰ TABLE t',
    "select [a'] ; drop table x --']",
    'select 1 /* a /* b */ ; drop table t */',
    'select 1 --; drop table t',
    "select 1 # '\n; drop table t -- '",
    "select 'never closed",
    'SELECT "delete_user"(5)',
    'SELECT public."purge_all"()',
    'SELECT `wipe`(1)',
    'SELECT [dbo].[f](1)',
    'BEGIN app.purge_all; END;',
    'COMMIT app.purge_all',
    'SELECT 1DELETE FROM users',
    'SELECT .5DELETE FROM users',
    'SELECT 1.DELETE FROM users',
    'SELECT $1DELETE FROM users',
    'SELECT 1 -- x\r; DELETE FROM users',
    'SELECT 1 -- x\u2028; DELETE FROM users',
    'SELECT 1 --\u00a0x; DELETE FROM users',
    'SELECT 1\u00a0; x',
    "SELECT * FROM users[x'] DELETE FROM users --'",
    "SELECT [a]]' ]; DELETE FROM t --'",
    "SELECT q'[']' FROM dual; DELETE FROM t --'",
    "SELECT nQ'(')' FROM dual; DELETE FROM t --'",
    "SELECT '''a' '''; DELETE FROM t; -- '",
    "SELECT 1 // '\n; DELETE FROM t --'",
    "SELECT a[1 --]\n'] ; DELETE FROM t --'",
    '/*M! DROP TABLE t */',
    'SELECT 1 DENY CONTROL ON x TO y',
    'SELECT 1 DISABLE TRIGGER ALL ON DATABASE',
    'SELECT 1 RECONFIGURE',
  ])('does not only read: %s', (text) => {
    expect(isReadingStatement(text)).toBe(false);
  });

  it('is a plain query only if it calls nothing that may act', () => {
    expect(isPlainQuery('select count(*), lower(name) from t where a in (1, 2)')).toBe(true);
    expect(isPlainQuery('WITH x AS (SELECT 1) SELECT * FROM x')).toBe(true);
    expect(isPlainQuery('select remove_user(1)')).toBe(false);
    expect(isPlainQuery('select 1; delete from t')).toBe(false);
    expect(isPlainQuery('')).toBe(false);
    expect(isPlainQuery('select app.count(1)')).toBe(false);
    expect(isPlainQuery('select "count"(1)')).toBe(false);
    expect(isPlainQuery("select current_database(), md5('x'), random() where id = $1")).toBe(true);
    expect(isPlainQuery('select v from t, jsonb_array_elements(t.a) as v')).toBe(true);
    expect(isPlainQuery('MATCH (n:Person)-[:KNOWS]->(m) RETURN m')).toBe(true);
  });

  it.each([
    'Show everybody',
    'Table reservation',
    'With love',
    'Help the poor',
    'Return to sender',
    'Values of our company',
    'Explain the charge',
    'SELECT',
    'COMMIT',
    'SELECT 1 ROLLBACK',
  ])('is no plain query in words: %s', (text) => {
    expect(isPlainQuery(text)).toBe(false);
  });

  it('takes time that grows with its length only', () => {
    const from = performance.now();
    for (const part of ['[', "['", '[a]', '"', "'", '$', '/*', '--', '""', '(', 'a.'])
      isReadingStatement(`SELECT ${part.repeat(60_000)}`);
    expect(performance.now() - from).toBeLessThan(1000);
  });

  it('of GraphQL may be a mutation', () => {
    expect(isMutation('mutation Rename($id: ID!) { rename(id: $id) { id } }')).toBe(true);
    expect(isMutation('query A { a }\nmutation B { b }')).toBe(true);
    expect(isMutation(',mutation{ a }')).toBe(true);
    expect(isMutation('mutation M($a: String = "}") { a }')).toBe(true);
    expect(isMutation('mutation #}\n{ a }')).toBe(true);
    expect(isMutation('query Q { a(b: "mutation {") }')).toBe(false);
    expect(isMutation('mutation testing in practice')).toBe(false);
    expect(isMutation('{ user { mutation } }')).toBe(false);
  });
});
