import { describe, expect, it } from 'vitest';
import { POSTGRES_SYNTAX, readSql, SQLITE_SYNTAX } from './read-sql.ts';

describe('a statement for PostgreSQL', () => {
  it.each([
    ['SELECT ?, ?', 'SELECT $1, $2', 2],
    ["SELECT 'a?', 'it''s ?', ?", "SELECT 'a?', 'it''s ?', $1", 1],
    [String.raw`SELECT E'a\'?', e'b''?', ?`, String.raw`SELECT E'a\'?', e'b''?', $1`, 1],
    [String.raw`SELECT 'a\', ?`, String.raw`SELECT 'a\', $1`, 1],
    [String.raw`SELECT U&'\0061?', ?`, String.raw`SELECT U&'\0061?', $1`, 1],
    ['SELECT "a?""?" FROM t WHERE b = ?', 'SELECT "a?""?" FROM t WHERE b = $1', 1],
    ['SELECT ? -- what?\n, ?', 'SELECT $1 -- what?\n, $2', 2],
    ['SELECT ? /* a? /* b? */ c? */, ?', 'SELECT $1 /* a? /* b? */ c? */, $2', 2],
    ['SELECT $$a?$$, $x$ $$?$$ $x$, ?', 'SELECT $$a?$$, $x$ $$?$$ $x$, $1', 1],
    ['SELECT $é$?$é$, ?', 'SELECT $é$?$é$, $1', 1],
    ['SELECT a$b$, ?, c$b$', 'SELECT a$b$, $1, c$b$', 1],
    ['SELECT list[?], [?]', 'SELECT list[$1], [$2]', 2],
    ["SELECT data ?? 'a', data ??| ?, ?||'b'", "SELECT data ? 'a', data ?| $1, $2||'b'", 2],
    ["SELECT 'never ends ?", "SELECT 'never ends ?", 0],
    ['SELECT $$never ends ?', 'SELECT $$never ends ?', 0],
    ['SELECT 1 /* never ends ?', 'SELECT 1 /* never ends ?', 0],
  ])('%s', (source, text, parameters) => {
    expect(readSql(source, POSTGRES_SYNTAX)).toMatchObject({ text, parameters, hasMore: false });
  });
});

describe('a statement for SQLite', () => {
  it.each([
    ['SELECT ?, ?', 2],
    ["SELECT 'a?', 'it''s ?', ?", 1],
    [String.raw`SELECT 'a\', ?`, 1],
    ['SELECT "a?", [b?], `c?` FROM t WHERE d = ?', 1],
    ['SELECT ? -- what?', 1],
    ['SELECT ? /* a? /* b? */, ?', 2],
    ['SELECT ? || ?', 2],
  ])('%s', (source, parameters) => {
    expect(readSql(source, SQLITE_SYNTAX)).toMatchObject({ text: source, parameters });
  });
});

describe('the start and the end of a statement', () => {
  it.each([
    ['COMMIT', ['commit'], false],
    [' ;; /* x */ -- y\n Commit Work', ['commit', 'work'], false],
    ['/* a /* b */ c */ END', ['end'], false],
    ['SELECT 1; ', ['select'], false],
    ['SELECT 1; -- COMMIT\n /* END */', ['select'], false],
    ["SELECT ';' ; COMMIT", ['select', 'commit'], true],
    ['SELECT 1;;COMMIT', ['select', 'commit'], true],
    ["SELECT 1; 'x'", ['select'], true],
  ])('%s', (source, firstWords, hasMore) => {
    expect(readSql(source, POSTGRES_SYNTAX)).toMatchObject({ firstWords, hasMore });
  });
});
