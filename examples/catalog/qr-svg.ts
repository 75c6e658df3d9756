/** Draws a Digital Link URL as a QR code in SVG. Does not validate the link itself. */
import { encodeQR } from 'qr';

/** More than any Digital Link built here, and few enough modules for a phone to read from paper. */
const LONGEST_URL = 512;

/** Four modules of quiet zone, as ISO/IEC 18004 requires; many scanners fail with fewer. */
const QUIET_ZONE = 4;

export function qrSvg(url: string): string {
  if (!url.startsWith('https://') || url.length > LONGEST_URL) {
    throw new RangeError(`qrSvg takes an https URL of at most ${LONGEST_URL} characters`);
  }
  const rows = encodeQR(url, 'raw', { ecc: 'medium', border: QUIET_ZONE });
  const size = rows.length;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" role="img" shape-rendering="crispEdges">`,
    `<title>${escapeXml(url)}</title>`,
    // Its own background: without one the code cannot be read on a dark page.
    `<path fill="#fff" d="M0 0h${size}v${size}h-${size}z"/>`,
    `<path fill="#000" d="${rows.map(drawRow).join('')}"/>`,
    '</svg>',
  ].join('');
}

/** One rectangle for each run of dark modules. */
function drawRow(row: readonly boolean[], y: number): string {
  let path = '';
  for (let x = 0; x < row.length; x += 1) {
    if (!row[x]) continue;
    let end = x + 1;
    while (row[end]) end += 1;
    path += `M${x} ${y}h${end - x}v1h-${end - x}z`;
    x = end;
  }
  return path;
}

function escapeXml(text: string): string {
  return text.replaceAll(/[^ -~]|[&<>"']/g, (mark) => `&#${mark.codePointAt(0)};`);
}
