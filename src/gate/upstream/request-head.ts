/** The first lines of a request, as they are written. What cannot be in a header is an error, and never sent. */
import type { Order } from './http-exchange.ts';

const NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
/** Line ends above all: what follows one would be another header. */
const FORBIDDEN = /[^\t\x20-\x7e\x80-\xff]/;
/** How long a request is, and what becomes of its connection, is said here alone. */
const FRAMING: ReadonlySet<string> = new Set(['content-length', 'transfer-encoding', 'connection']);

export function toRequestHead({ method, headers, body }: Order, path: string): string {
  let head = `${method} ${path} HTTP/1.1\r\n`;
  for (const name in headers) {
    const value = headers[name] ?? '';
    if (!NAME.test(name) || FORBIDDEN.test(value)) {
      throw new TypeError(
        `the header ${JSON.stringify(name)} has characters that no header can have`,
      );
    }
    if (!FRAMING.has(name)) head += `${name}: ${value}\r\n`;
  }
  if (body !== undefined) head += `content-length: ${body.length}\r\n`;
  return `${head}connection: keep-alive\r\n\r\n`;
}
