/**
 * A frame has no line end, but JSON may be sent over several lines. Outside of strings a line end is
 * only space, and inside of them it cannot stand, so it is replaced without a change of meaning.
 */
const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

export function toOneLine(bytes: Buffer): Buffer {
  if (!bytes.includes(LF) && !bytes.includes(CR)) return bytes;
  const line = Buffer.from(bytes);
  for (let at = 0; at < line.length; at += 1) {
    if (line[at] === LF || line[at] === CR) line[at] = SPACE;
  }
  return line;
}
