/**
 * The last filter before a text is logged: finds one-time secrets by their form and checksum, plain
 * or encoded, and takes them out. It knows no secret; it knows what one looks like.
 */
import { readSecretToken, TOKEN_FORM } from './secret-token.ts';

const SHOWN = '[secret]';

const PLAIN = new RegExp(TOKEN_FORM, 'g');
/** Runs that may be an encoding of a token, long enough for one and bounded. */
const HEX = /(?:[0-9a-f]{2}){36,4096}/gi;
const BASE64 = /[A-Za-z0-9+/_-]{48,8192}={0,2}/g;
const PERCENT = /(?:%[0-9a-f]{2}|[\w.~-]){36,8192}/gi;
const ESCAPED = /(?:\\u00[0-9a-f]{2}|\w){36,8192}/gi;

export function redactSecrets(text: string): string {
  return text
    .replace(PLAIN, (found) => (readSecretToken(found).kind === 'token' ? SHOWN : found))
    .replace(HEX, (run) => unlessHiding(run, Buffer.from(run, 'hex').toString('latin1')))
    .replace(BASE64, (run) => unlessHiding(run, ...decodings(run)))
    .replace(PERCENT, (run) => unlessHiding(run, fromPercent(run)))
    .replace(ESCAPED, (run) => unlessHiding(run, fromEscapes(run)));
}

function unlessHiding(run: string, ...decoded: readonly string[]): string {
  return decoded.some(hasToken) ? SHOWN : run;
}

function hasToken(text: string): boolean {
  return [...text.matchAll(PLAIN)].some(([found]) => readSecretToken(found).kind === 'token');
}

/** A token in the middle of an encoded text begins at any of four places. */
function decodings(run: string): readonly string[] {
  return [0, 1, 2, 3].map((skip) => Buffer.from(run.slice(skip), 'base64').toString('latin1'));
}

function fromPercent(run: string): string {
  return run.replace(/%([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
}

function fromEscapes(run: string): string {
  return run.replace(/\\u00([0-9a-f]{2})/gi, (_, hex: string) =>
    String.fromCharCode(parseInt(hex, 16)),
  );
}
