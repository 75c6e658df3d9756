/**
 * Splits SQL and Cypher into tokens, in the way that every common dialect does. Where dialects disagree
 * on where a string or a comment ends, there are no tokens: what one database skips, another one runs.
 */

export interface SqlToken {
  readonly kind: 'word' | 'opaque' | 'sign';
  /** In lower case; empty for strings and quoted names. */
  readonly text: string;
}

const WORD = /[\p{L}_][\p{L}\p{N}_]*/uy;
const NUMBER = /\d[\w.]*/y;
const SPACE = /\s+/y;
const LINE_COMMENT = /--[^\n]*/y;
const BLOCK_COMMENT = /\/\*[\s\S]*?\*\//y;
/** MySQL runs these, PostgreSQL nests them, and MySQL wants a space after two dashes. */
const DISPUTED = /^(?:\/\*!|\/\*[\s\S]+\/\*|--[^\s])/;
const STRING = /'[^'\\]*'/y;
const NAME = /"[^"\\]*"|`[^`\\]*`/y;
/** A name in brackets is one token in T-SQL; elsewhere a quote in it begins a string. */
const BRACKETED = /\[[^\]]*\]/y;

export function lexSql(text: string): readonly SqlToken[] | undefined {
  const tokens: SqlToken[] = [];
  let at = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at;
    const [found] = pattern.exec(text) ?? [];
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
    // `array['a']` has no space before its bracket.
    const isSubscript = /\w/.test(text[at - 1] ?? '');
    if (sign === '[' && !isSubscript && /['"`]/.test(peek(BRACKETED, text, at))) return undefined;
    const word = take(WORD);
    if (word !== undefined) tokens.push({ kind: 'word', text: word.toLowerCase() });
    else if (take(STRING) !== undefined || take(NAME) !== undefined || take(NUMBER) !== undefined)
      tokens.push({ kind: 'opaque', text: '' });
    // A quote that does not end, a comment of MySQL, a string of PostgreSQL, an escape.
    else if (`'"\`#$\\`.includes(sign)) return undefined;
    else {
      tokens.push({ kind: 'sign', text: sign });
      at += 1;
    }
  }
  return tokens;
}

function peek(pattern: RegExp, text: string, at: number): string {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0] ?? '';
}
