/**
 * Reads the answers of an HTTP/1.1 server off one connection, strictly (RFC 9112): what could be read in two
 * ways is an error, and so is anything that nobody asked for. Bodies are passed on as they arrive.
 */

export type AnswerHeaders = Readonly<Record<string, string | undefined>>;

interface ResponseHandler {
  head(status: number, headers: AnswerHeaders): void;
  data(bytes: Buffer): void;
  /** Whether the connection can carry another request. */
  end(isReusable: boolean): void;
}

export class ResponseError extends Error {
  override readonly name = 'ResponseError';
}

/** As much as Node's own client takes. */
const MOST_HEAD = 16 * 1024;
const HEAD_END = '\r\n\r\n';
const CRLF = '\r\n';
const CR = 0x0d;
const LF = 0x0a;
const STATUS_LINE = /^HTTP\/1\.([01]) ([1-9]\d\d)(?: |$)/;
const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Visible characters, space, tab and what is beyond ASCII. */
const FORBIDDEN = /[^\t\x20-\x7e\x80-\xff]/;
const DIGITS = /^\d{1,15}$/;
const CHUNK_SIZE = /^([\da-f]{1,8})(?:;|$)/i;
/** Of these the first counts, as with Node's own client; of others all do. */
const SINGLE: ReadonlySet<string> = new Set(['content-type', 'retry-after', 'mcp-session-id']);

/** `chunk-end`: the line end behind the bytes of a chunk. `until-close`: the end of the connection ends it. */
type State = 'head' | 'length' | 'until-close' | 'chunk-size' | 'chunk' | 'chunk-end' | 'trailer';

export class ResponseReader {
  readonly #handler: ResponseHandler;
  #state: State = 'head';
  /** What is not read yet, of a head or of a line. */
  #rest: Buffer | undefined;
  /** Bytes of the body, or of the chunk, that are still to come. */
  #left = 0;
  /** Of lines between the parts of a body and behind it, which nobody reads. */
  #extraBytes = 0;
  /** Of the body, from one push: a server may cut it into parts of a byte, and each costs as much as a large one. */
  #parts: Buffer[] = [];
  #isReusable = false;
  #isOver = false;

  constructor(handler: ResponseHandler) {
    this.#handler = handler;
  }

  /** Throws for what is not an answer, and for more than one. */
  push(chunk: Buffer): void {
    let bytes = this.#rest === undefined ? chunk : Buffer.concat([this.#rest, chunk]);
    this.#rest = undefined;
    try {
      bytes = this.#readAll(bytes);
    } finally {
      // Also before an error: what was read until then may be a whole message.
      this.#passOn();
    }
    if (!this.#isOver) {
      if (bytes.length > 0) this.#rest = bytes;
      return;
    }
    // Line ends between answers are allowed, but nobody needs such a connection again.
    if (bytes.some((byte) => byte !== CR && byte !== LF)) {
      throw new ResponseError('there is more behind the answer');
    }
    this.#handler.end(this.#isReusable && bytes.length === 0);
  }

  /** The server has closed the connection. */
  finish(): void {
    if (this.#isOver) return;
    if (this.#state !== 'until-close') throw new ResponseError('the answer was cut off');
    this.#isOver = true;
    this.#handler.end(false);
  }

  /** Gives what is left: behind the answer, or of a head or a line that is not complete. */
  #readAll(chunk: Buffer): Buffer {
    let bytes = chunk;
    while (bytes.length > 0 && !this.#isOver) {
      const used = this.#read(bytes);
      if (used === 0) break;
      bytes = used === bytes.length ? NOTHING : bytes.subarray(used);
    }
    return bytes;
  }

  #passOn(): void {
    const [first, second] = this.#parts;
    if (first === undefined) return;
    const whole = second === undefined ? first : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#handler.data(whole);
  }

  /** How many of the bytes were read; none if more of them are needed. */
  #read(bytes: Buffer): number {
    if (this.#state === 'head') return this.#readHead(bytes);
    if (this.#state === 'until-close') {
      this.#parts.push(bytes);
      return bytes.length;
    }
    if (this.#state === 'length' || this.#state === 'chunk') return this.#readBody(bytes);
    return this.#readLine(bytes);
  }

  #readHead(bytes: Buffer): number {
    const end = bytes.indexOf(HEAD_END);
    if ((end === -1 ? bytes.length : end) > MOST_HEAD) {
      throw new ResponseError(`the headers of the answer have more than ${MOST_HEAD} bytes`);
    }
    if (end === -1) return 0;
    const [first = '', ...lines] = bytes.toString('latin1', 0, end).split(CRLF);
    const [, minor, code] = STATUS_LINE.exec(first) ?? [];
    if (code === undefined || FORBIDDEN.test(first)) throw new ResponseError('it is not HTTP/1.1');
    const status = Number(code);
    const headers = readHeaders(lines);
    if (status === 101) throw new ResponseError('the server changed the protocol');
    // Others of these announce the answer, and are no answer.
    if (status >= 200) this.#begin(status, headers, minor === '1');
    return end + HEAD_END.length;
  }

  #begin(status: number, headers: AnswerHeaders, isCurrent: boolean): void {
    const connection = headers['connection']?.toLowerCase().split(',') ?? [];
    const encoding = headers['transfer-encoding'];
    const length = headers['content-length'];
    this.#isReusable = isCurrent && !connection.some((option) => option.trim() === 'close');
    // It has no body, whatever it says; a server that says so may send one all the same, into the next answer.
    if (status === 204 && (encoding ?? length ?? '0') !== '0') this.#isReusable = false;
    if (encoding !== undefined && (encoding.toLowerCase() !== 'chunked' || length !== undefined)) {
      throw new ResponseError('the length of the answer is not clear');
    }
    if (length !== undefined && !DIGITS.test(length)) {
      throw new ResponseError('the length of the answer is not a number');
    }
    this.#handler.head(status, headers);
    this.#left = Number(length ?? 0);
    if (status === 204 || status === 304) this.#isOver = true;
    else if (encoding !== undefined) this.#state = 'chunk-size';
    else if (length === undefined) this.#state = 'until-close';
    else if (this.#left === 0) this.#isOver = true;
    else this.#state = 'length';
  }

  #readBody(bytes: Buffer): number {
    const part = bytes.length > this.#left ? bytes.subarray(0, this.#left) : bytes;
    this.#left -= part.length;
    this.#parts.push(part);
    if (this.#left === 0) {
      if (this.#state === 'chunk') this.#state = 'chunk-end';
      else this.#isOver = true;
    }
    return part.length;
  }

  #readLine(bytes: Buffer): number {
    const end = bytes.indexOf(CRLF);
    if ((end === -1 ? bytes.length : end) + this.#extraBytes > MOST_HEAD) {
      throw new ResponseError('a line between parts of the answer is too long');
    }
    if (end === -1) return 0;
    this.#takeLine(bytes.toString('latin1', 0, end));
    return end + CRLF.length;
  }

  #takeLine(line: string): void {
    if (this.#state === 'chunk-end') {
      if (line !== '') throw new ResponseError('a part of the answer is longer than it says');
      this.#state = 'chunk-size';
    } else if (this.#state === 'chunk-size') {
      const [, size] = CHUNK_SIZE.exec(line) ?? [];
      if (size === undefined || FORBIDDEN.test(line)) {
        throw new ResponseError('a part of the answer does not say how long it is');
      }
      this.#extraBytes += line.length - size.length;
      this.#left = Number.parseInt(size, 16);
      this.#state = this.#left === 0 ? 'trailer' : 'chunk';
    } else if (line === '') this.#isOver = true;
    else {
      this.#extraBytes += line.length;
      readHeaders([line]);
    }
  }
}

const NOTHING = Buffer.alloc(0);

function readHeaders(lines: readonly string[]): AnswerHeaders {
  const headers: Record<string, string> = Object.create(null) as Record<string, string>; // no inherited names
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, Math.max(0, colon)).toLowerCase();
    // A name with a space, or none, may be the rest of the line before.
    if (!NAME.test(name) || FORBIDDEN.test(line)) throw new ResponseError('a header is malformed');
    const value = trim(line, colon + 1);
    const before = headers[name];
    if (before === undefined) headers[name] = value;
    else if (name === 'content-length') throw new ResponseError('the answer has two lengths');
    else if (!SINGLE.has(name)) headers[name] = `${before}, ${value}`;
  }
  return headers;
}

/** Without the spaces and tabs around it. */
function trim(line: string, start: number): string {
  let [from, to] = [start, line.length];
  while (from < to && isSpace(line.charCodeAt(from))) from += 1;
  while (to > from && isSpace(line.charCodeAt(to - 1))) to -= 1;
  return line.slice(from, to);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09;
}
