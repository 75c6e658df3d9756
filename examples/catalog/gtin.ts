/**
 * Parses a GTIN as people and machines write it. Pure: no store, no login, no throw.
 *
 * Padding rule: remove spaces and hyphens; 8 to 14 digits must remain; pad with leading zeros to 14.
 * Leading zeros carry no information, so the format comes from the padded number and never from how
 * many digits were typed. GS1 leaves prefix 00000 unused, hence six zeros always mean GTIN-8.
 */

export type GtinFormat = 'GTIN-8' | 'GTIN-12' | 'GTIN-13' | 'GTIN-14';

export type GtinFault =
  | 'not-text'
  | 'empty'
  | 'too-long'
  | 'not-digits'
  | 'too-short'
  | 'all-zeros'
  | 'check-digit'
  | 'restricted-prefix';

export type GtinReading =
  | { readonly kind: 'valid'; readonly gtin14: string; readonly format: GtinFormat }
  | { readonly kind: 'invalid'; readonly code: GtinFault; readonly reason: string };

/** 14 digits and the three separators of the longest usual spelling, such as 978-3-16-148410-0. */
const LONGEST_TEXT = 17;

/** Prefixes (of the 13 digits after the indicator) whose numbers identify no product worldwide. */
const RESTRICTED: readonly (readonly [prefix: RegExp, use: string])[] = [
  [/^0?2/, 'use inside a company or region'],
  [/^04/, 'use inside a company'],
  [/^05|^98[1-4]|^99/, 'coupons'],
  [/^980/, 'refund receipts'],
];

export function readGtin(text: unknown): GtinReading {
  if (typeof text !== 'string') return invalid('not-text', 'A GTIN is given as text.');
  // Bounded before any pattern sees it.
  if (text.length > LONGEST_TEXT) {
    return invalid('too-long', 'A GTIN has at most 14 digits and three separators.');
  }
  const digits = text.replaceAll(/[ -]/g, '');
  if (digits === '') return invalid('empty', 'The GTIN is empty.');
  if (!/^[0-9]+$/.test(digits)) {
    return invalid('not-digits', 'A GTIN has only the digits 0 to 9, spaces and hyphens.');
  }
  if (digits.length > 14) return invalid('too-long', 'A GTIN has at most 14 digits.');
  if (digits.length < 8) return invalid('too-short', 'A GTIN has at least 8 digits.');

  const gtin14 = digits.padStart(14, '0');
  if (/^0+$/.test(gtin14)) return invalid('all-zeros', 'A GTIN cannot be all zeros.');
  const expected = checkDigitOf(gtin14.slice(0, -1));
  if (gtin14.at(-1) !== String(expected)) {
    return invalid('check-digit', `The check digit is wrong: it should be ${expected}.`);
  }
  const format = formatOf(gtin14);
  const use = restrictedUse(gtin14, format);
  if (use !== undefined) {
    return invalid('restricted-prefix', `This number is reserved for ${use}; it is not a GTIN.`);
  }
  return Object.freeze({ kind: 'valid', gtin14, format });
}

/** The GS1 modulo-10 check digit for these digits. */
export function checkDigitOf(digits: string): number {
  if (!/^[0-9]{1,32}$/.test(digits)) throw new RangeError('checkDigitOf takes 1 to 32 digits');
  let sum = 0;
  let weight = 3;
  for (let at = digits.length - 1; at >= 0; at -= 1) {
    sum += Number(digits.charAt(at)) * weight;
    weight = 4 - weight;
  }
  return (10 - (sum % 10)) % 10;
}

function formatOf(gtin14: string): GtinFormat {
  if (gtin14.startsWith('000000')) return 'GTIN-8';
  if (gtin14.startsWith('00')) return 'GTIN-12';
  return gtin14.startsWith('0') ? 'GTIN-13' : 'GTIN-14';
}

function restrictedUse(gtin14: string, format: GtinFormat): string | undefined {
  if (format === 'GTIN-8') {
    // GS1-8 prefixes 0 and 2. A UPC-E starts with 0 too: it encodes 12 digits, not these 8.
    return /^0{6}[02]/.test(gtin14) ? 'use inside a company, or a UPC-E to expand' : undefined;
  }
  const prefixed = gtin14.slice(1);
  return RESTRICTED.find(([prefix]) => prefix.test(prefixed))?.[1];
}

function invalid(code: GtinFault, reason: string): GtinReading {
  return Object.freeze({ kind: 'invalid', code, reason });
}
