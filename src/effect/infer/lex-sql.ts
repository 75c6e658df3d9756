/**
 * Splits SQL and Cypher into tokens, in the way that every common dialect does. Where dialects disagree
 * on where a string, a name or a comment ends, there are no tokens: what one database skips, another one runs.
 */

export interface SqlToken {
  readonly kind: 'word' | 'name' | 'opaque' | 'sign';
  /** In lower case; empty for strings and numbers. A `name` is one in quotes, which is a string elsewhere. */
  readonly text: string;
}

const WORD = /[\p{L}_][\p{L}\p{N}_]*/uy;
/** A letter that follows would be part of the number for some, and begin a keyword for others. */
const NUMBER = /(?:0x[\da-f]+|\d+(?:\.\d*)?(?:e[+-]?\d+)?)(?![\p{L}\p{N}_$.])/iuy;
/** `$1` stands for a value; `$a$` begins a string in PostgreSQL. */
const BOUND = /\$\d+(?![\p{L}\p{N}_$])/uy;
/** Other characters that look like a space are part of a name for some. */
const SPACE = /[ \t\r\n\f\v]+/y;
const LINE_COMMENT = /--[^\n]*/y;
const BLOCK_COMMENT = /\/\*[\s\S]*?\*\//y;
/**
 * MySQL and MariaDB run some of these, PostgreSQL nests them, MySQL wants a space after two dashes, and
 * PostgreSQL ends a line at a carriage return.
 */
const DISPUTED =
  /^(?:\/\*M?!|\/\*[\s\S]+\/\*|--[^ \t\r]|--[\s\S]*(?:\r(?!$)|[\v\f\u0085\u2028\u2029]))/i;
/** A backslash is an escape for some; unless it is before a quote, the string ends in the same place. */
const STRING = /'(?:[^'\\]|\\[^'])*'/y;
const NAME = /"(?:[^"\\]|\\[^"])*"|`[^`\\]*`/y;
/** BigQuery ends such a string at three quotes. */
const TRIPLE = /'''|"""/y;
/** Oracle: `q'[it's]'` */
const QUOTING = /^n?q$/;
/** A line comment in Snowflake and Cypher, and two divisions elsewhere. */
const SLASHES = /\/\//y;
/**
 * One name in T-SQL, up to a bracket that is not doubled; elsewhere a list or a subscript with tokens in
 * it. Strings in it must end in it, and no comment may begin there.
 */
const BRACKETED = /\[(?:[^[\]'"`\\/#$-]|-(?!-)|\/(?![*/])|'[^'[\]\\]*'|"[^"[\]\\]*")*\](?!\])/y;
const SIGNS = new Set('()[]{},.;:+-*/%<>=!&|^~?@');

export function lexSql(text: string): readonly SqlToken[] | undefined {
  const tokens: SqlToken[] = [];
  let at = 0;
  const find = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    return pattern.exec(text)?.[0];
  };
  const take = (pattern: RegExp): string | undefined => {
    const found = find(pattern);
    if (found !== undefined) at += found.length;
    return found;
  };
  while (at < text.length) {
    if (take(SPACE) !== undefined) continue;
    const sign = text[at] ?? '';
    if (text.startsWith('--', at) || text.startsWith('/*', at)) {
      const comment = take(LINE_COMMENT) ?? take(BLOCK_COMMENT);
      if (comment === undefined || DISPUTED.test(comment)) return undefined;
      continue;
    }
    if (find(TRIPLE) !== undefined || find(SLASHES) !== undefined) return undefined;
    if (sign === '[' && find(BRACKETED) === undefined) return undefined;
    const word = take(WORD)?.toLowerCase();
    if (word !== undefined) {
      if (QUOTING.test(word) && text[at] === "'") return undefined;
      tokens.push({ kind: 'word', text: word });
      continue;
    }
    const name = take(NAME);
    if (name !== undefined) {
      tokens.push({ kind: 'name', text: name.slice(1, -1).toLowerCase() });
    } else if ((take(STRING) ?? take(NUMBER) ?? take(BOUND)) !== undefined) {
      tokens.push({ kind: 'opaque', text: '' });
    } else if (SIGNS.has(sign)) {
      tokens.push({ kind: 'sign', text: sign });
      at += 1;
    }
    // A quote that does not end, a comment of MySQL, a string of PostgreSQL, an escape, a character of no dialect.
    else return undefined;
  }
  return tokens;
}
