/**
 * Whether a call does nothing but ask a database: the one case in which arguments make a call milder without
 * the definition saying so. Everything about it has to be known, the tool, the statement and what else is given.
 */
import { TIERS } from '../tier.ts';
import { foreignVerbOf } from './foreign-verbs.ts';
import type { InferredEffect } from './infer-effect.ts';
import { VERBS } from './lexicon.ts';
import { RARE_VERBS } from './rare-verbs.ts';
import type { CalledTool } from './read-arguments.ts';
import { readArguments, STATEMENT } from './read-arguments.ts';
import { readOpening } from './read-description.ts';
import { toKey } from './read-parameters.ts';
import { isPlainQuery } from './read-statement.ts';
import type { Reason, ReasonCode } from './reason.ts';
import { hasForeignLetters, toSingular, toWords } from './to-words.ts';

type Json = Readonly<Record<string, unknown>>;

export function isQueryCall(tool: CalledTool, inferred: InferredEffect, args: Json): boolean {
  return (
    !inferred.isStated &&
    runsSqlOnly(tool, inferred) &&
    hasOnlyQueries(args) &&
    // What raises a tool that looks, and what raises one that does not.
    [true, false].every(
      (looks) => readArguments({ ...tool, looks, looksNow: looks }, args).length === 0,
    )
  );
}

/** The same for every call of a tool. */
const RUNNERS = new WeakMap<InferredEffect, boolean>();

/** It asks because of the SQL that it is given to run, and for no other reason. */
function runsSqlOnly(tool: CalledTool, inferred: InferredEffect): boolean {
  const known = RUNNERS.get(inferred);
  if (known !== undefined) return known;
  const { reasons } = inferred;
  const opening = readOpening(tool.description, tool.name);
  const saysRun =
    opening === undefined || !TIERS[opening.tier].asks || RUNS.has(opening.verb ?? '');
  const found =
    reasons.some(({ code }) => code === 'runs-code') &&
    reasons.every((reason) => isOfRunning(reason)) &&
    namesQuery(tool.name) &&
    saysRun;
  RUNNERS.set(inferred, found);
  return found;
}

/** That it runs something; names and the beginning of a description are looked at by themselves. */
function isOfRunning({ code, source }: Reason): boolean {
  if (code === 'verb' || code === 'object' || code === 'open-ended')
    return source === 'name' || source === 'description';
  return OF_RUNNING.has(code);
}
const OF_RUNNING: ReadonlySet<ReasonCode> = new Set<ReasonCode>([
  'runs-code',
  'claim-not-believed',
  'claim-says-nothing',
]);

/** `run_sql`, `execute_query`, `acme_query_database`: every word is known, apart from a server's name in front. */
function namesQuery(name: string): boolean {
  if (hasForeignLetters(name)) return false;
  const parts = toWords(name).map(toSingular);
  const unknown = parts.flatMap((word, at) => (isOfQuery(word) ? [] : [at]));
  if (unknown.length === 0) return parts.length > 0;
  const [first = ''] = parts;
  return (
    unknown.length === 1 &&
    unknown[0] === 0 &&
    parts.some((word) => ASKED.has(word)) &&
    !VERBS.has(first) &&
    !RARE_VERBS.has(first) &&
    foreignVerbOf(first) === undefined
  );
}

const RUNS = words('run execute exec query perform');
const ASKED = words('query sql statement cypher select');
const OF_DATABASES = words(
  `db database warehouse lakehouse raw custom read readonly only data the a on in mcp tool postgre postgres postgresql pg
  mysql mariadb sqlite duckdb motherduck bigquery snowflake redshift clickhouse databrick trino presto athena mssql
  oracle neo4j supabase neon planetscale cockroachdb tidb turso d1`,
);

function isOfQuery(word: string): boolean {
  return RUNS.has(word) || ASKED.has(word) || OF_DATABASES.has(word);
}

/** Every statement is a query that is known to look only, and nothing else could be one. */
function hasOnlyQueries(args: Json): boolean {
  const entries = Object.entries(args).map(([name, value]) => ({ name, key: toKey(name), value }));
  const statements = entries.filter(({ key }) => STATEMENT.test(key));
  return (
    statements.length > 0 &&
    entries.every(({ name }) => /^[\w-]+$/.test(name)) &&
    entries.every(({ key, value }) =>
      STATEMENT.test(key)
        ? typeof value === 'string' && isPlainQuery(value)
        : isHarmless(key, value),
    )
  );
}

/** Where it is asked, how much is wanted, and the values that are put in. Any other name may mean anything. */
const PLACES =
  /^(?:database|db|schema|catalog|warehouse|project|dataset|data_?source|connection|cluster|instance|workspace|organization|account|server|branch|region|location|engine|dialect|profile|environment|env)(?:_(?:name|id|ref|uid|uuid))?$/;
const AMOUNTS =
  /^(?:(?:max|row|result|record|query|statement|job|size|default)_)*(?:limit|offset|top|page|page_size|per_page|rows?|results?|records?|row_count|timeout|timeout_(?:ms|sec|seconds|millis)|wait_timeout|limit_mb)$/;
const FORMATS = /^(?:(?:output|response|result)_)?format$/;
const SWITCHES =
  /^(?:read_?only|dry_run|include_\w+|with_headers?|headers?|use_cache|pretty|compact|use_legacy_sql)$/;
const BOUND =
  /^(?:(?:query|sql|bind|bound)_)?(?:params|parameters|values|bindings|binds|variables|args)$/;
const REMARKS = /^(?:reason|explanation|purpose|title|description|comment|thought|intent)$/;

function isHarmless(key: string, value: unknown): boolean {
  if (value === null) return true;
  if (BOUND.test(key))
    return typeof value === 'object' && Object.values(value).every((one) => !isNested(one));
  if (typeof value === 'boolean')
    return SWITCHES.test(key) && (value || !/^(?:read|dry)/.test(key));
  if (typeof value !== 'string' && typeof value !== 'number') return false;
  if (AMOUNTS.test(key)) return /^\d+$/.test(String(value));
  if (REMARKS.test(key)) return true;
  return (PLACES.test(key) || FORMATS.test(key)) && !/[;\s]/.test(String(value).trim());
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}
