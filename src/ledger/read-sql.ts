/**
 * Reads one SQL statement of an application far enough to tell its parameters, its first words and
 * its end from quoted text and comments that only look like them. Checking the rest is up to the
 * database.
 */

export interface SqlSyntax {
  /** The n-th parameter, as the database expects it. */
  readonly parameter: (position: number) => string;
  /** Sticky: one piece of quoted text, a comment, a word, or a run of what means nothing here. */
  readonly piece: RegExp;
  readonly nestsComments: boolean;
  /** What `??` stands for, where the database has operators with a question mark. */
  readonly questionMark?: string;
}

export const SQLITE_SYNTAX: SqlSyntax = Object.freeze({
  parameter: () => '?',
  piece:
    /'[^']*'?|"[^"]*"?|`[^`]*`?|\[[^\]]*\]?|--[^\n]*|[a-z_\u0080-\uffff][\w$\u0080-\uffff]*|\s+|[(),]+/iy,
  nestsComments: false,
});

export const POSTGRES_SYNTAX: SqlSyntax = Object.freeze({
  parameter: (position: number) => `$${position}`,
  // A doubled quote ends one piece and begins the next, except where backslashes count.
  piece:
    /e'(?:[^'\\]+|\\[^]|'')*'?|'[^']*'?|"[^"]*"?|--[^\n]*|\$((?:[a-z_\u0080-\uffff][\w\u0080-\uffff]*)?)\$[^]*?(?:\$\1\$|$)|[a-z_\u0080-\uffff][\w$\u0080-\uffff]*|\s+|[(),]+/iy,
  nestsComments: true,
  questionMark: '?',
});

export interface SqlStatement {
  /** With parameters as the database expects them. */
  readonly text: string;
  readonly parameters: number;
  /** In lower case, at most two. */
  readonly firstWords: readonly string[];
  /** Something follows the end of the first statement. */
  readonly hasMore: boolean;
}

const WORD = /^[a-z_]\w*$/i;
const BLANK = /^(?:\s|--|\/\*)/;

export function readSql(source: string, syntax: SqlSyntax): SqlStatement {
  const firstWords: string[] = [];
  let [text, parameters, hasEnded, hasMore] = ['', 0, false, false];
  for (let at = 0; at < source.length;) {
    const piece = pieceAt(source, at, syntax);
    at += piece.length;
    if (piece === ';') hasEnded = firstWords.length > 0;
    else if (hasEnded && !BLANK.test(piece)) hasMore = true;
    if (firstWords.length < 2 && WORD.test(piece)) firstWords.push(piece.toLowerCase());
    if (piece === '?') text += syntax.parameter((parameters += 1));
    else text += piece === '??' ? syntax.questionMark : piece;
  }
  return { text, parameters, firstWords, hasMore };
}

function pieceAt(source: string, at: number, syntax: SqlSyntax): string {
  if (source.startsWith('/*', at)) return commentAt(source, at, syntax.nestsComments);
  if (syntax.questionMark !== undefined && source.startsWith('??', at)) return '??';
  syntax.piece.lastIndex = at;
  return syntax.piece.exec(source)?.[0] ?? source.charAt(at);
}

function commentAt(source: string, start: number, nests: boolean): string {
  let [at, depth] = [start + 2, 1];
  while (depth > 0 && at < source.length) {
    const isEnd = source.startsWith('*/', at);
    const isStart = nests && source.startsWith('/*', at);
    if (isEnd) depth -= 1;
    if (isStart) depth += 1;
    at += isEnd || isStart ? 2 : 1;
  }
  return source.slice(start, at);
}
