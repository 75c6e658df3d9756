import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ResponseError, ResponseReader } from './response-reader.ts';

/** What was read, or why it was refused; `closed` is the end of the connection. */
function read(text: string, cuts: readonly number[] = [], isClosed = false): string {
  const log: string[] = [];
  let body = '';
  const reader = new ResponseReader({
    head: (status, headers) => log.push(`${status} ${headers['content-type'] ?? ''}`),
    data: (bytes) => (body += bytes.toString('latin1')),
    end: (isReusable) => log.push(`${body}${isReusable ? ' reusable' : ''}`),
  });
  const bytes = Buffer.from(text, 'latin1');
  const places = [...new Set(cuts.map((cut) => cut % bytes.length))].toSorted((a, b) => a - b);
  try {
    let from = 0;
    for (const to of [...places, bytes.length]) {
      if (to > from) reader.push(bytes.subarray(from, to));
      from = to;
    }
    if (isClosed) reader.finish();
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    log.push(`refused: ${error.message}`);
  }
  return log.join('; ');
}

const head = (...lines: readonly string[]): string => `${lines.join('\r\n')}\r\n\r\n`;
const OK = 'HTTP/1.1 200 OK';
const LENGTH = 'Content-Length: 5';
const CHUNKED = 'Transfer-Encoding: chunked';

describe('an answer', () => {
  it.each([
    ['by its length', `${head(OK, 'Content-Type: a/b', LENGTH)}hello`, '200 a/b; hello reusable'],
    ['without a body', head('HTTP/1.1 204 No Content'), '204 ;  reusable'],
    ['without a body that it announced', head('HTTP/1.1 204 No Content', LENGTH), '204 ; '],
    ['without parts that it announced', head('HTTP/1.1 204 No Content', CHUNKED), '204 ; '],
    ['with a length of nothing', head(OK, 'Content-Length: 0'), '200 ;  reusable'],
    ['without a reason', `${head('HTTP/1.1 404', LENGTH)}hello`, '404 ; hello reusable'],
    [
      'after others',
      `${head('HTTP/1.1 100 Continue')}${head(OK, LENGTH)}hello`,
      '200 ; hello reusable',
    ],
    [
      'in parts',
      `${head(OK, CHUNKED)}3\r\nhel\r\n2;x=y\r\nlo\r\n0\r\nTrailer: a\r\n\r\n`,
      '200 ; hello reusable',
    ],
    ['of a server that closes', `${head(OK, LENGTH, 'Connection: x, Close')}hello`, '200 ; hello'],
    ['of an old server', `${head('HTTP/1.0 200 OK', LENGTH)}hello`, '200 ; hello'],
    ['with a line end behind it', `${head(OK, LENGTH)}hello\r\n`, '200 ; hello'],
  ])('is read %s, however it is cut', (_, text, expected) => {
    expect(read(text)).toBe(expected);
    const isCut = fc.property(fc.array(fc.nat()), (cuts) => {
      // Cut behind the answer, a line end is the business of the connection.
      const limit = text.length - (text.endsWith('hello\r\n') ? 2 : 0);
      expect(
        read(
          text,
          cuts.map((cut) => cut % limit),
        ),
      ).toBe(expected);
    });
    fc.assert(isCut, { numRuns: 50 });
  });

  it('in parts of a byte is passed on as it was received, and before what is wrong behind it', () => {
    const passed: string[] = [];
    const reader = new ResponseReader({
      head: () => {},
      data: (bytes) => passed.push(bytes.toString('latin1')),
      end: () => passed.push('end'),
    });
    reader.push(Buffer.from(`${head(OK, CHUNKED)}${'1\r\na\r\n'.repeat(5)}`));
    expect(() => reader.push(Buffer.from('1\r\nb\r\n1\r\nc\r\nx\r\n'))).toThrow(ResponseError);
    expect(passed).toEqual(['aaaaa', 'bc']);
  });

  it('may end with its connection', () => {
    expect(read(`${head(OK)}hello`, [], true)).toBe('200 ; hello');
    expect(read(`${head(OK, LENGTH)}hell`, [], true)).toBe('200 ; refused: the answer was cut off');
    expect(read(`${head(OK, CHUNKED)}5\r\nhello\r\n`, [], true)).toContain('cut off');
  });

  it.each([
    ['another protocol', 'SSH-2.0-OpenSSH\r\n\r\n'],
    ['another version', head('HTTP/2.0 200 OK', LENGTH)],
    ['an upgrade', head('HTTP/1.1 101 Switching Protocols')],
    ['two lengths', head(OK, LENGTH, LENGTH)],
    ['a list of lengths', head(OK, 'Content-Length: 5, 5')],
    ['a length with a sign', head(OK, 'Content-Length: +5')],
    ['a length in hexadecimal', head(OK, 'Content-Length: 0x5')],
    ['a length and parts', head(OK, LENGTH, CHUNKED)],
    ['another encoding', head(OK, 'Transfer-Encoding: gzip, chunked')],
    ['parts twice', head(OK, CHUNKED, CHUNKED)],
    ['a space before the colon', head(OK, 'Content-Length : 5')],
    ['a folded header', head(OK, 'X: a', ' b')],
    ['a header without a name', head(OK, ': a')],
    ['a header without a colon', head(OK, 'X')],
    ['a line end of one character', head(OK, 'X: a\nContent-Length: 5')],
    ['a carriage return in a value', head(OK, 'X: a\rb')],
    ['a zero byte', head(OK, 'X: a\0b')],
    ['too much of a head', head(OK, `X: ${'a'.repeat(17_000)}`)],
    ['an endless head', `${OK}\r\nX: ${'a'.repeat(17_000)}`],
    ['more behind it', `${head(OK, LENGTH)}hello!`],
    ['a size that is no number', `${head(OK, CHUNKED)}-1\r\n`],
    ['a size in another base', `${head(OK, CHUNKED)}0x5\r\nhello\r\n`],
    ['a space behind a size', `${head(OK, CHUNKED)}5 \r\nhello\r\n`],
    ['a size that is too large', `${head(OK, CHUNKED)}fffffffff\r\n`],
    ['a part that is longer', `${head(OK, CHUNKED)}2\r\nhello\r\n`],
    [
      'words beside sizes without an end',
      `${head(OK, CHUNKED)}${`1;${'x'.repeat(9000)}\r\na\r\n`.repeat(2)}`,
    ],
  ])('is refused with %s', (_, text) => {
    expect(read(text)).toContain('refused: ');
  });
});
