/** Asks a CalDAV or CardDAV collection for its texts: for all, or for those of one UID. */
import type { DAVResponse } from 'tsdav';
import { addressBookQuery, calendarQuery } from 'tsdav';
import type { StoredText } from '../backend.ts';
import type { GroupwareClient } from './client.ts';
import { idOf, textOf } from './dav-props.ts';

/** A text, and where it is: other programs name files as they like. */
export interface Located extends StoredText {
  readonly url: string;
}

export interface TextQuery {
  /** Of the collection. */
  readonly url: string;
  readonly isCalendar: boolean;
  readonly uid?: string | undefined;
}

export async function queryTexts(
  client: GroupwareClient,
  { url, isCalendar, uid }: TextQuery,
): Promise<readonly Located[]> {
  const request = { depth: '1', url, fetch: client.fetch } as const;
  const inCalendar = (filter: object): Promise<DAVResponse[]> =>
    calendarQuery({
      ...request,
      props: { 'd:getetag': {}, 'c:calendar-data': {} },
      filters: { 'comp-filter': { ...named('VCALENDAR'), ...filter } },
    });
  const inAddressBook = (filter: object): Promise<DAVResponse[]> =>
    addressBookQuery({
      ...request,
      props: { 'd:getetag': {}, 'card:address-data': {} },
      filters: filter,
    });
  if (!isCalendar) {
    const responses = await inAddressBook(
      uid === undefined ? { 'prop-filter': named('FN') } : withUid(uid),
    );
    return toTexts(responses, 'addressData', url);
  }
  // A filter by property names the kind of entry, so each kind is asked for.
  const filters =
    uid === undefined
      ? [{}]
      : ['VEVENT', 'VTODO'].map((kind) => ({ 'comp-filter': { ...named(kind), ...withUid(uid) } }));
  const answers = await Promise.all(filters.map(inCalendar));
  return toTexts(answers.flat(), 'calendarData', url);
}

function named(name: string): object {
  return { _attributes: { name } };
}

function withUid(uid: string): object {
  return { 'prop-filter': { ...named('UID'), 'text-match': { _text: uid } } };
}

function toTexts(
  responses: readonly DAVResponse[],
  property: string,
  base: string,
): readonly Located[] {
  return responses
    .filter(({ ok, href }) => ok && href !== undefined)
    .map(({ href = '', props }) => {
      const text = textOf(props, property);
      return {
        uid: uidOf(text) ?? idOf(href).replace(/\.\w+$/, ''),
        url: new URL(href, base).href,
        etag: textOf(props, 'getetag'),
        text,
      };
    });
}

/** Long lines are folded. */
function uidOf(text: string): string | undefined {
  return /^UID(?:;[^:\r\n]*)?:(.*)$/im.exec(text.replaceAll(/\r?\n[ \t]/g, ''))?.[1]?.trim();
}
