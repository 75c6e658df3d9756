/**
 * Lets only strict JSON through to the SDK's reader, one message a line. A line that means different
 * things to different parsers is answered with a parse error and goes no further.
 */
import type { TransformCallback } from 'node:stream';
import { Transform } from 'node:stream';
import { parseStrictJson } from '../lib/strict-json.ts';
import { toProblem } from '../lib/problem.ts';

/** As the SDK's own reader has it. */
const MOST_BYTES = 10 * 1024 * 1024;

export class StrictLines extends Transform {
  readonly #refuse: (line: string) => void;
  #rest = Buffer.alloc(0);

  /** `refuse` is given the answer to each line that is turned away. */
  constructor(refuse: (line: string) => void) {
    super();
    this.#refuse = refuse;
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    let rest = Buffer.concat([this.#rest, chunk]);
    for (let end = rest.indexOf(10); end !== -1; end = rest.indexOf(10)) {
      this.#pass(rest.subarray(0, end));
      rest = rest.subarray(end + 1);
    }
    this.#rest = rest;
    if (rest.length > MOST_BYTES) done(new Error(`a message is longer than ${MOST_BYTES} bytes`));
    else done();
  }

  #pass(line: Buffer): void {
    const text = line.toString('utf8').replace(/\r$/, '');
    if (text === '') return;
    const parsed = parseStrictJson(text, { bytes: MOST_BYTES });
    if (parsed.kind === 'json') this.push(`${text}\n`);
    else this.#refuse(toParseError(parsed.detail));
  }
}

function toParseError(detail: string): string {
  const data = toProblem('malformed-json', detail);
  return `${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32700, message: detail, data } })}\n`;
}
