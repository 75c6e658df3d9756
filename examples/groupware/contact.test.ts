/** vCards: what is written is read again as it was, whatever it is, and what others wrote is understood. */
import { describe, expect, it } from 'vitest';
import { changeContact, showContact, writeContact } from './contact.ts';

const VALUES = [
  'x;VALUE=TEXT',
  'x;VALUE=UNKNOWN:y',
  String.raw`a\;b`,
  String.raw`a\b`,
  'a;b,c',
  'one\ntwo',
  String.raw`a\nb`,
  '\\',
  String.raw`a\,b`,
  `BEGIN:VCARD\nNOTE:${'long '.repeat(40)}`,
  'Zoë 😀',
];

/** Written, changed in another field, and read. */
function roundTrip(fields: object) {
  return showContact(changeContact(writeContact('u', { fn: 'F', ...fields }), { title: 'T' }));
}

describe('a contact', () => {
  it.each(VALUES)('keeps %j in every text', (value) => {
    for (const name of ['fn', 'nickname', 'org', 'note'] as const) {
      expect([name, roundTrip({ [name]: value })[name]]).toEqual([name, value]);
    }
    for (const name of ['email', 'categories'] as const) {
      expect([name, roundTrip({ [name]: [value] })[name]]).toEqual([name, [value]]);
    }
  });

  it.each([{ url: 'http://a.example/\r\nEMAIL:evil@a.example' }, { tel: ['1\r\nNOTE:x'] }])(
    'gets no property through %j',
    (fields) => {
      expect(() => writeContact('u', { fn: 'F', ...fields })).toThrow('control characters');
    },
  );

  it('of another program is understood, with values that are not of their type', () => {
    const lines = [
      'UID:o',
      'FN:A\\; B',
      'N:B;A\\;C;;;',
      'BDAY:in spring',
      'NOTE:a\\\\\\;b',
      'X-OWN:1',
    ];
    const card = ['BEGIN:VCARD', 'VERSION:3.0', ...lines, 'END:VCARD', ''].join('\r\n');
    expect(showContact(card)).toMatchObject({
      fn: 'A; B',
      bday: 'in spring',
      note: String.raw`a\;b`,
    });
    const changed = changeContact(card, { nickname: 'Al' });
    for (const kept of ['\r\nN:B;A\\;C;;;\r\n', '\r\nX-OWN:1\r\n', ':in spring\r\n']) {
      expect(changed).toContain(kept);
    }
  });

  it.each(['', 'nonsense', 'BEGIN:VCALENDAR\r\nEND:VCALENDAR'])('is not in %j', (text) => {
    expect(() => showContact(text)).toThrow('cannot be read');
  });
});
