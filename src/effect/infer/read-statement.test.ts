import { describe, expect, it } from 'vitest';
import { isMutation, isPlainQuery, isReadingStatement } from './read-statement.ts';

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
  ])('does not only read: %s', (text) => {
    expect(isReadingStatement(text)).toBe(false);
  });

  it('is a plain query only if it calls nothing that may act', () => {
    expect(isPlainQuery('select count(*), lower(name) from t where a in (1, 2)')).toBe(true);
    expect(isPlainQuery('WITH x AS (SELECT 1) SELECT * FROM x')).toBe(true);
    expect(isPlainQuery('select remove_user(1)')).toBe(false);
    expect(isPlainQuery('select 1; delete from t')).toBe(false);
    expect(isPlainQuery('')).toBe(false);
  });

  it('of GraphQL may be a mutation', () => {
    expect(isMutation('mutation Rename($id: ID!) { rename(id: $id) { id } }')).toBe(true);
    expect(isMutation('query A { a }\nmutation B { b }')).toBe(true);
    expect(isMutation('mutation testing in practice')).toBe(false);
    expect(isMutation('{ user { mutation } }')).toBe(false);
  });
});
