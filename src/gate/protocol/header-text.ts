/** Text in a header field: plain where it can be, else as base64 between the protocol's marks. */

const START = '=?base64?';
const END = '?=';
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

export function toHeaderText(text: string): string {
  if (text === '' || (PLAIN.test(text) && !isMarked(text))) return text;
  return START + Buffer.from(text).toString('base64') + END;
}

/** `undefined` when the marks are there and what stands between them is not what they promise. */
export function fromHeaderText(value: string): string | undefined {
  if (!isMarked(value)) return value;
  const inner = value.slice(START.length, -END.length);
  if (!BASE64.test(inner)) return undefined;
  const bytes = Buffer.from(inner, 'base64');
  const text = bytes.toString('utf8');
  return Buffer.from(text).equals(bytes) ? text : undefined;
}

function isMarked(value: string): boolean {
  return (
    value.length >= START.length + END.length && value.startsWith(START) && value.endsWith(END)
  );
}
