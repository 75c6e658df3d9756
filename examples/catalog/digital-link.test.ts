import library from 'digital-link.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import type { LinkParts } from './digital-link.ts';
import { buildDigitalLink, parseDigitalLink } from './digital-link.ts';

const HOST = 'id.example.com';
const GTIN = '09506000134352';

const CHARACTER_SET_82 =
  '!"%&\'()*+,-./0123456789:;<=>?ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz';

const qualifier = fc
  .string({ unit: fc.constantFrom(...CHARACTER_SET_82.split('')), minLength: 1, maxLength: 20 })
  .filter((text) => text !== '.' && text !== '..');

/** Values that are also application identifiers, which a careless parser takes for keys. */
const confusing = fc.constantFrom(
  '00',
  '01',
  '10',
  '17',
  '21',
  '414',
  '8003',
  'gtin',
  'id.gs1.org',
);

const expiry = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(2, 10).replaceAll('-', ''));

const parts: fc.Arbitrary<LinkParts> = fc.record(
  {
    host: fc.constantFrom(HOST, 'brand.example', 'localhost:8443', 'id.gs1.org'),
    gtin: fc.constantFrom(GTIN, '00614141123452', '00012345678905', '19506000134359'),
    lot: fc.oneof(qualifier, confusing),
    serial: fc.oneof(qualifier, confusing),
    expiry,
  },
  { requiredKeys: ['host', 'gtin'] },
);

describe('buildDigitalLink', () => {
  it.each([
    [{}, `https://${HOST}/01/${GTIN}`],
    [{ lot: 'LOT42' }, `https://${HOST}/01/${GTIN}/10/LOT42`],
    [{ serial: 'S-1' }, `https://${HOST}/01/${GTIN}/21/S-1`],
    [
      { serial: 'S-1', lot: 'LOT42', expiry: '271231' },
      `https://${HOST}/01/${GTIN}/10/LOT42/21/S-1?17=271231`,
    ],
    [{ lot: '../../admin?x=1' }, `https://${HOST}/01/${GTIN}/10/..%2F..%2Fadmin%3Fx%3D1`],
    [{ serial: '!"%\'()*' }, `https://${HOST}/01/${GTIN}/21/%21%22%25%27%28%29%2A`],
    [{ expiry: '280229' }, `https://${HOST}/01/${GTIN}?17=280229`],
    [{ expiry: '270200' }, `https://${HOST}/01/${GTIN}?17=270200`],
  ])('builds %o', (qualifiers, url) => {
    expect(buildDigitalLink({ host: HOST, gtin: GTIN, ...qualifiers })).toMatchObject({
      kind: 'link',
      url,
    });
  });

  it('writes the GTIN with its 14 digits, however it was given', () => {
    const link = buildDigitalLink({ host: HOST, gtin: '9 506000-134352' });
    expect(link).toMatchObject({ gtin14: GTIN, url: `https://${HOST}/01/${GTIN}` });
  });

  it.each([
    ['gtin-invalid', { gtin: '09506000134353' }],
    ['gtin-invalid', { gtin: '../etc/passwd' }],
    ['lot-invalid', { lot: '' }],
    ['lot-invalid', { lot: '.' }],
    ['lot-invalid', { lot: '..' }],
    ['lot-invalid', { lot: 'A'.repeat(21) }],
    ['lot-invalid', { lot: 'A'.repeat(5_000_000) }],
    ['lot-invalid', { lot: 'A B' }],
    ['lot-invalid', { lot: 'A\nB' }],
    ['lot-invalid', { lot: 'A\0' }],
    ['lot-invalid', { lot: 'Ä' }],
    ['lot-invalid', { lot: '٣' }],
    ['lot-invalid', { lot: '\ud800' }],
    ['lot-invalid', { lot: 'A#B' }],
    ['lot-invalid', { lot: 'A~B' }],
    ['serial-invalid', { serial: 'A\\B' }],
    ['serial-invalid', { serial: '{}' }],
    ['serial-invalid', { serial: 'A\u202eB' }],
    ['expiry-invalid', { expiry: '' }],
    ['expiry-invalid', { expiry: '20271231' }],
    ['expiry-invalid', { expiry: '271301' }],
    ['expiry-invalid', { expiry: '270001' }],
    ['expiry-invalid', { expiry: '270229' }],
    ['expiry-invalid', { expiry: '270431' }],
    ['expiry-invalid', { expiry: '27123１' }],
    ['host-invalid', { host: '' }],
    ['host-invalid', { host: 'evil.example/01' }],
    ['host-invalid', { host: 'good.example@evil.example' }],
    ['host-invalid', { host: 'evil.example?x' }],
    ['host-invalid', { host: 'evil.example#' }],
    ['host-invalid', { host: 'evil.example\\' }],
    ['host-invalid', { host: 'EVIL.example' }],
    ['host-invalid', { host: 'éxample.com' }],
    ['host-invalid', { host: 'a..example' }],
    ['host-invalid', { host: '-a.example' }],
    ['host-invalid', { host: '0x7f.1' }],
    ['host-invalid', { host: '2130706433' }],
    ['host-invalid', { host: 'example.com:99999' }],
    ['host-invalid', { host: `${'a.'.repeat(500_000)}example` }],
  ])('refuses with %s: %#', (code, wrong) => {
    expect(buildDigitalLink({ host: HOST, gtin: GTIN, ...wrong })).toMatchObject({
      kind: 'invalid',
      code,
    });
  });

  it('writes what the GS1 grammar and the URL standard both accept', () => {
    fc.assert(
      fc.property(parts, (given) => {
        const link = buildDigitalLink(given);
        if (link.kind !== 'link') throw new Error(link.reason);
        expect(new URL(link.url).href).toBe(link.url);
        // The grammar of the library wants a bare double quote, and chooses by this host's name.
        if (link.url.includes('%22') || link.url.includes('id.gs1.org')) return;
        expect(library.DigitalLink(link.url).isValid()).toBe(true);
      }),
    );
  });
});

describe('parseDigitalLink', () => {
  it('reads back every link that can be built', () => {
    fc.assert(
      fc.property(parts, (given) => {
        const built = buildDigitalLink(given);
        if (built.kind !== 'link') throw new Error(built.reason);
        expect(parseDigitalLink(built.url)).toEqual({ ...built, linkType: null });
        expect(built).toMatchObject({
          lot: given.lot ?? null,
          serial: given.serial ?? null,
          expiry: given.expiry ?? null,
        });
      }),
    );
  });

  it.each([
    [`https://${HOST}/01/${GTIN}?linkType=gs1:pip`, { linkType: 'gs1:pip' }],
    [`https://${HOST}/01/${GTIN}?linkType=gs1%3Apip`, { linkType: 'gs1:pip' }],
    [`https://${HOST}/01/${GTIN}?15=271231&utm=x&17=271200`, { expiry: '271200' }],
    [`https://${HOST}/01/9506000134352`, { gtin14: GTIN, url: `https://${HOST}/01/${GTIN}` }],
    [`HTTPS://ID.EXAMPLE.COM/01/${GTIN}`, { host: HOST }],
    [`https://${HOST}/01/${GTIN}/10/%41%2fb`, { lot: 'A/b' }],
    [`https://${HOST}/01/${GTIN}/10/A"B`, { lot: 'A"B' }],
    [`https://${HOST}/01/${GTIN}/10/00/21/01`, { lot: '00', serial: '01' }],
  ])('reads %s', (url, expected) => {
    expect(parseDigitalLink(url)).toMatchObject({ kind: 'link', ...expected });
  });

  it.each([
    null,
    42,
    '',
    'not a url',
    `http://${HOST}/01/${GTIN}`,
    `javascript:https://${HOST}/01/${GTIN}`,
    `https://user:secret@${HOST}/01/${GTIN}`,
    `https://${HOST}/01/${GTIN}#fragment`,
    `https://${HOST}/01/${GTIN}#`,
    `https://${HOST}/01/${GTIN}/`,
    `https://${HOST}//01/${GTIN}`,
    `https://${HOST}/shop/01/${GTIN}`,
    `https://${HOST}/gtin/${GTIN}`,
    `https://${HOST}/01/${GTIN}/10`,
    `https://${HOST}/01/${GTIN}/10/`,
    `https://${HOST}/01/${GTIN}/21/S/10/L`,
    `https://${HOST}/01/${GTIN}/10/A/10/B`,
    `https://${HOST}/01/${GTIN}/22/V`,
    `https://${HOST}/01/${GTIN}/10/%`,
    `https://${HOST}/01/${GTIN}/10/%ff`,
    `https://${HOST}/01/${GTIN}?17=271231&17=271230`,
    `https://${HOST}/01/${GTIN}?17=271231&%317=271230`,
    `https://${HOST}/01/${GTIN}?linkType=gs1:pip&linkType=gs1:warranty`,
    `https://${HOST}/00/106141412345678908`,
    `https://${HOST}/01/${GTIN}/${'A'.repeat(600)}`,
    `https://${HOST}/DBHKVAdpQgowOQ`,
  ])('refuses as no link: %s', (text) => {
    expect(parseDigitalLink(text)).toMatchObject({ kind: 'invalid', code: 'not-a-link' });
  });

  it.each([
    [`https://${HOST}/01/09506000134353`, 'gtin-invalid'],
    [`https://${HOST}/01/${GTIN}/10/A%20B`, 'lot-invalid'],
    [`https://${HOST}/01/${GTIN}/21/%00`, 'serial-invalid'],
    [`https://${HOST}/01/${GTIN}?17=271331`, 'expiry-invalid'],
    [`https://[::1]/01/${GTIN}`, 'host-invalid'],
  ])('refuses %s as %s', (text, code) => {
    expect(parseDigitalLink(text)).toMatchObject({ kind: 'invalid', code });
  });

  it('never throws, whatever it is handed', () => {
    const almost = fc
      .array(fc.oneof(confusing, fc.webSegment()), { maxLength: 7 })
      .map((segments) => `https://${HOST}/01/${GTIN}/${segments.join('/')}`);
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.webUrl(), almost), (given) => {
        expect(['link', 'invalid']).toContain(parseDigitalLink(given).kind);
      }),
    );
  });
});
