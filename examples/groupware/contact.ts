/** Contacts: from arguments to a vCard and back. What an update does not name stays as it is. */
import ICAL from 'ical.js';
import { ProblemError } from 'plimsoll/server';
import * as z from 'zod';
import { invalid } from './refuse.ts';

const text = z.string().max(2000);
const texts = z.array(text).max(50);

export const ContactData = z.strictObject({
  fn: text.min(1).optional().describe('Full name as it is shown'),
  nickname: text.optional().describe('Nickname'),
  email: texts.optional().describe('Mail addresses'),
  tel: texts.optional().describe('Telephone numbers'),
  org: text.optional().describe('Organisation; parts of it after semicolons'),
  title: text.optional().describe('Job title'),
  url: text.optional().describe('Web page'),
  bday: text
    .regex(/^(?:\d{4}-\d{2}-\d{2}|--\d{2}-?\d{2})?$/)
    .optional()
    .describe('Birthday, YYYY-MM-DD or --MM-DD; empty for none'),
  note: text.optional().describe('Free text'),
  categories: texts.optional().describe('Groups that the contact belongs to'),
});

export type ContactFields = z.infer<typeof ContactData>;

export interface ShownContact {
  readonly uid: string;
  readonly fn: string;
  readonly nickname: string;
  readonly email: readonly string[];
  readonly tel: readonly string[];
  readonly org: string;
  readonly title: string;
  readonly url: string;
  readonly bday: string;
  readonly note: string;
  readonly categories: readonly string[];
}

const ONE = ['fn', 'nickname', 'org', 'title', 'url', 'bday', 'note'] as const;
const MANY = ['email', 'tel'] as const;

export function writeContact(uid: string, fields: ContactFields): string {
  const card = new ICAL.Component(['vcard', [], []]);
  card.updatePropertyWithValue('version', '3.0');
  card.updatePropertyWithValue('uid', uid);
  apply(card, fields);
  return toVcard(card);
}

export function changeContact(before: string, fields: ContactFields): string {
  const card = open(before);
  apply(card, fields);
  return toVcard(card);
}

export function showContact(stored: string): ShownContact {
  const card = open(stored);
  const one = (name: string): string => valuesOf(card, name)[0] ?? '';
  return {
    uid: one('uid'),
    fn: one('fn'),
    nickname: one('nickname'),
    email: valuesOf(card, 'email'),
    tel: valuesOf(card, 'tel').map((number) => number.replace(/^tel:/, '')),
    org: valuesOf(card, 'org').join(';'),
    title: one('title'),
    url: one('url'),
    bday: one('bday'),
    note: one('note'),
    categories: valuesOf(card, 'categories'),
  };
}

function open(stored: string): ICAL.Component {
  try {
    const card = new ICAL.Component(ICAL.parse(withPlainSemicolons(stored)) as unknown[]);
    if (card.name === 'vcard') return card;
  } catch {
    // The same as a text that is something else.
  }
  throw new ProblemError('conflict', 'The contact is stored in a form that cannot be read.');
}

/** In these a semicolon separates parts, and an escaped one does not. */
const STRUCTURED = /^(?:[\w-]+\.)?(?:N|ADR|ORG)[;:]/i;

/** Other programs escape semicolons in any text; the library would leave those escapes in. */
function withPlainSemicolons(stored: string): string {
  return stored
    .replaceAll(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
    .map((line) =>
      STRUCTURED.test(line)
        ? line
        : line.replaceAll(/\\(.)/g, (pair, escaped) => (escaped === ';' ? ';' : pair)),
    )
    .join('\r\n');
}

function apply(card: ICAL.Component, fields: ContactFields): void {
  for (const name of ONE) {
    const value = fields[name];
    if (value !== undefined) setAll(card, name, value === '' ? [] : [value]);
  }
  for (const name of MANY) {
    const values = fields[name];
    if (values !== undefined) setAll(card, name, values);
  }
  if (fields.categories === undefined) return;
  card.removeAllProperties('categories');
  if (fields.categories.length === 0) return;
  const property = new ICAL.Property('categories', card);
  property.setValues([...fields.categories]);
  card.addProperty(property);
}

function setAll(card: ICAL.Component, name: string, values: readonly string[]): void {
  card.removeAllProperties(name);
  for (const value of values) {
    // Birthdays and numbers stay as they were written; a semicolon separates parts of an organisation.
    const isPlain = name === 'bday' || name === 'tel' || name === 'org';
    const property = new ICAL.Property(isPlain ? [name, {}, 'text', ''] : name, card);
    // Only texts are escaped; anywhere else a line break would begin a property of its own.
    if ((property.type !== 'text' || name === 'tel') && /[\p{Cc}\\]/u.test(value)) {
      throw invalid(`/contact_data/${name}`, `There are control characters or \\ in ${name}.`);
    }
    property.setValue(value.replaceAll(/\r\n?/g, '\n'));
    card.addProperty(property);
  }
}

/** Version 3.0 requires a structured name beside the one that is shown. */
function toVcard(card: ICAL.Component): string {
  if (!card.hasProperty('n')) {
    const words = (valuesOf(card, 'fn')[0] ?? '').split(' ');
    const family = words.length > 1 ? (words.pop() ?? '') : '';
    const property = new ICAL.Property('n', card);
    property.setValue([family, words.join(' '), '', '', '']);
    card.addProperty(property);
  }
  // The type of a value is written out only where version 3.0 knows it.
  const type = /^([\w.-]+(?:;[\w-]+=[^:;"\r\n]*)*);VALUE=(?:TEXT|UNKNOWN)(?=[;:])/gim;
  return `${card.toString().replaceAll(type, '$1')}\r\n`;
}

function valuesOf(card: ICAL.Component, name: string): readonly string[] {
  return card.getAllProperties(name).flatMap((property) =>
    readValues(property)
      .flat()
      .map((value: unknown) => String(value)),
  );
}

/** A value that is not of its type, such as a birthday in words, is shown as it is written. */
function readValues(property: ICAL.Property): unknown[] {
  try {
    return property.getValues();
  } catch {
    return (property.toJSON() as unknown[]).slice(3);
  }
}
