/**
 * CRC-32 (IEEE 802.3) of a text's character codes, for ASCII. It finds slips and lookalikes; it
 * keeps nobody from making a matching one.
 */
const POLYNOMIAL = 0xedb88320;

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte;
  for (let bit = 0; bit < 8; bit++) {
    remainder = (remainder >>> 1) ^ ((remainder & 1) === 1 ? POLYNOMIAL : 0);
  }
  return remainder;
});

export function crc32(text: string): number {
  let sum = 0xffffffff;
  for (let at = 0; at < text.length; at++) {
    sum = (sum >>> 8) ^ (TABLE[(sum ^ text.charCodeAt(at)) & 0xff] ?? 0);
  }
  return (sum ^ 0xffffffff) >>> 0;
}
