/**
 * GS1 Digital Link URLs of trade items:
 * `https://<host>/01/{gtin14}[/10/{lot}][/21/{serial}][?17=YYMMDD]`, built and parsed. digital-link.js
 * splits, joins and checks the GS1 grammar; percent-encoding, real dates and hostile hosts are handled
 * here, since the library does not check them.
 */
import library from 'digital-link.js';

import { readGtin } from './gtin.ts';

export interface LinkParts {
  /** A DNS name, with an optional port; no scheme and no path. */
  readonly host: string;
  /** In any form that `readGtin` accepts. */
  readonly gtin: string;
  readonly lot?: string | undefined;
  readonly serial?: string | undefined;
  /** YYMMDD; day 00 is the end of the month. */
  readonly expiry?: string | undefined;
}

type LinkFault =
  | 'not-a-link'
  | 'host-invalid'
  | 'gtin-invalid'
  | 'lot-invalid'
  | 'serial-invalid'
  | 'expiry-invalid';

export interface InvalidLink {
  readonly kind: 'invalid';
  readonly code: LinkFault;
  readonly reason: string;
}

export interface DigitalLink {
  readonly kind: 'link';
  readonly url: string;
  readonly host: string;
  readonly gtin14: string;
  readonly lot: string | null;
  readonly serial: string | null;
  readonly expiry: string | null;
}

export type ParsedLink = DigitalLink & { readonly linkType: string | null };

const LONGEST_URL = 512;
const LONGEST_HOST = 253;
const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const HOST = new RegExp(String.raw`^${LABEL}(?:\.${LABEL})*(?::[0-9]{1,5})?$`);
const LOT_OR_SERIAL = 'is 1 to 20 letters, digits or !"%&\'()*+,-./:;<=>?_ (and not "." or "..").';

export function buildDigitalLink(parts: LinkParts): DigitalLink | InvalidLink {
  const { host, lot, serial, expiry } = parts;
  if (!isHost(host)) return invalid('host-invalid', 'The host must be a plain DNS name.');
  const gtin = readGtin(parts.gtin);
  if (gtin.kind === 'invalid') return invalid('gtin-invalid', gtin.reason);
  if (lot !== undefined && !isQualifier('lot-value', lot)) {
    return invalid('lot-invalid', `A lot ${LOT_OR_SERIAL}`);
  }
  if (serial !== undefined && !isQualifier('ser-value', serial)) {
    return invalid('serial-invalid', `A serial number ${LOT_OR_SERIAL}`);
  }
  if (expiry !== undefined && !isExpiry(expiry)) {
    return invalid('expiry-invalid', 'The expiry must be a real date written YYMMDD.');
  }
  const link = library.DigitalLink({
    domain: `https://${host}`,
    identifier: { '01': gtin.gtin14 },
    keyQualifiers: {
      ...(lot !== undefined && { '10': encode(lot) }),
      ...(serial !== undefined && { '21': encode(serial) }),
    },
    attributes: expiry === undefined ? {} : { '17': expiry },
  });
  return Object.freeze({
    kind: 'link',
    url: link.toWebUriString(),
    host,
    gtin14: gtin.gtin14,
    lot: lot ?? null,
    serial: serial ?? null,
    expiry: expiry ?? null,
  });
}

/**
 * Parses what any resolver could receive. Other query pairs are ignored, as they do not identify the
 * item; one that does may not occur twice.
 */
export function parseDigitalLink(text: unknown): ParsedLink | InvalidLink {
  if (typeof text !== 'string' || text.length > LONGEST_URL) return notALink();
  const url = URL.parse(text);
  if (url === null || url.protocol !== 'https:' || url.href.includes('#')) return notALink();
  if (url.username !== '' || url.password !== '') return notALink();
  const path = splitPath(url);
  if (path === undefined) return notALink();

  const query = url.searchParams;
  if (query.getAll('17').length > 1 || query.getAll('linkType').length > 1) return notALink();
  const built = buildDigitalLink({
    host: url.host,
    ...path,
    expiry: query.get('17') ?? undefined,
  });
  if (built.kind === 'invalid') return built;
  return Object.freeze({ ...built, linkType: query.get('linkType') });
}

/** The item named by the path, decoded; undefined when the path does not have the expected shape. */
function splitPath(url: URL): Pick<LinkParts, 'gtin' | 'lot' | 'serial'> | undefined {
  // The library drops empty segments and unpacks compressed links, which are not accepted here.
  if (!/^\/01\/[0-9]{8,14}(?:\/10\/[^/]+)?(?:\/21\/[^/]+)?$/.test(url.pathname)) return undefined;
  try {
    const link = library.DigitalLink(url.origin + url.pathname);
    const lot = link.getKeyQualifier('10');
    const serial = link.getKeyQualifier('21');
    return {
      gtin: link.getIdentifier()['01'] ?? '',
      lot: lot === undefined ? undefined : decodeURIComponent(lot),
      serial: serial === undefined ? undefined : decodeURIComponent(serial),
    };
  } catch {
    // A stray "%", or a path that the library rejects.
    return undefined;
  }
}

/** Also refuses what URL parsers would turn into another host, such as "0x7f.1". */
function isHost(host: string): boolean {
  if (host.length > LONGEST_HOST || !HOST.test(host)) return false;
  return URL.parse(`https://${host}/`)?.host === host;
}

function isQualifier(rule: 'lot-value' | 'ser-value', value: string): boolean {
  if (value.length > 20 || !/^[\x21-\x7e]+$/.test(value)) return false;
  // URL parsers resolve dot segments away, encoded or not, so these two cannot travel in a path.
  if (value === '.' || value === '..') return false;
  // The library's grammar requires a bare double quote, which RFC 3986 forbids in a URL.
  return library.Utils.testRule(rule, encode(value).replaceAll('%22', '"'));
}

function isExpiry(text: string): boolean {
  if (!/^[0-9]{6}$/.test(text)) return false;
  const [month, day] = [Number(text.slice(2, 4)), Number(text.slice(4, 6))];
  if (month < 1 || month > 12) return false;
  // In the hundred years that YY can mean in GS1, every fourth one is a leap year.
  const lastDay = new Date(Date.UTC(2000 + Number(text.slice(0, 2)), month, 0)).getUTCDate();
  return day <= lastDay;
}

/** As GS1 does: the five characters that `encodeURIComponent` leaves alone are encoded as well. */
function encode(value: string): string {
  return encodeURIComponent(value).replaceAll(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function notALink(): InvalidLink {
  return invalid('not-a-link', 'This is not a GS1 Digital Link of the form https://host/01/gtin.');
}

function invalid(code: LinkFault, reason: string): InvalidLink {
  return Object.freeze({ kind: 'invalid', code, reason });
}
