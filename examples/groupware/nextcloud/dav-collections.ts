/** Calendars over CalDAV and address books over CardDAV: conditional writes, with the server's own etags. */
import { addressBookQuery, calendarQuery, davRequest, propfind } from 'tsdav';
import type {
  Collection,
  CollectionProps,
  Collections,
  StoredText,
  WriteCondition,
} from '../backend.ts';
import { conflict, found, stale } from '../refuse.ts';
import type { GroupwareClient } from './client.ts';
import { refusal } from './client.ts';
import { isOfType, textOf } from './dav-props.ts';

interface DavKind {
  readonly kind: string;
  readonly item: string;
  readonly extension: string;
  readonly contentType: string;
  readonly resourceType: string;
}

export const CALENDARS: DavKind = {
  kind: 'calendar',
  item: 'entry',
  extension: 'ics',
  contentType: 'text/calendar; charset=utf-8',
  resourceType: 'calendar',
};
export const ADDRESS_BOOKS: DavKind = {
  kind: 'address book',
  item: 'contact',
  extension: 'vcf',
  contentType: 'text/vcard; charset=utf-8',
  resourceType: 'addressbook',
};

const NAMESPACES = {
  'xmlns:d': 'DAV:',
  'xmlns:c': 'urn:ietf:params:xml:ns:caldav',
  'xmlns:card': 'urn:ietf:params:xml:ns:carddav',
  'xmlns:ca': 'http://apple.com/ns/ical/',
};

export class DavCollections implements Collections {
  readonly #client: GroupwareClient;
  /** The collection of the account's collections; ends with a slash. */
  readonly #home: URL;
  readonly #kind: DavKind;

  constructor(client: GroupwareClient, home: URL, kind: DavKind) {
    this.#client = client;
    this.#home = home;
    this.#kind = kind;
  }

  async list(): Promise<readonly Collection[]> {
    const responses = await propfind({
      url: this.#home.href,
      depth: '1',
      props: {
        'd:resourcetype': {},
        'd:displayname': {},
        'c:calendar-description': {},
        'card:addressbook-description': {},
        'ca:calendar-color': {},
      },
      fetch: this.#client.fetch,
    });
    return responses
      .filter(({ ok, props }) => ok && isOfType(props, this.#kind.resourceType))
      .map(({ href = '', props }) => {
        const id = idOf(href);
        return {
          id,
          display_name: textOf(props, 'displayname') || id,
          description:
            textOf(props, 'calendarDescription') || textOf(props, 'addressbookDescription'),
          color: textOf(props, 'calendarColor').slice(0, 7),
        };
      })
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }

  async create(id: string, props: CollectionProps): Promise<void> {
    if ((await this.list()).some((each) => each.id === id)) {
      throw conflict(`There is already an ${this.#kind.kind} ${id}.`);
    }
    const isCalendar = this.#kind === CALENDARS;
    const type = { 'd:collection': {}, 'card:addressbook': {} };
    const prop = {
      ...(isCalendar ? {} : { 'd:resourcetype': type }),
      ...toProps(props, isCalendar),
    };
    const root = isCalendar ? 'c:mkcalendar' : 'd:mkcol';
    await this.#send(isCalendar ? 'MKCALENDAR' : 'MKCOL', id, {
      [root]: { _attributes: NAMESPACES, 'd:set': { 'd:prop': prop } },
    });
  }

  async update(id: string, changes: Partial<CollectionProps>): Promise<void> {
    await this.#mustExist(id);
    const prop = toProps(changes, this.#kind === CALENDARS);
    if (Object.keys(prop).length === 0) return;
    await this.#send('PROPPATCH', id, {
      'd:propertyupdate': { _attributes: NAMESPACES, 'd:set': { 'd:prop': prop } },
    });
  }

  async remove(id: string): Promise<boolean> {
    const { status, ok } = await this.#client.fetch(this.#url(id), { method: 'DELETE' });
    if (status === 404) return false;
    if (!ok) throw refusal(status, `${id} was not deleted`);
    return true;
  }

  async texts(id: string): Promise<readonly StoredText[]> {
    await this.#mustExist(id);
    const url = this.#url(id);
    const client = { depth: '1', url, fetch: this.#client.fetch } as const;
    const isCalendar = this.#kind === CALENDARS;
    const responses = isCalendar
      ? await calendarQuery({
          ...client,
          props: { 'd:getetag': {}, 'c:calendar-data': {} },
          filters: { 'comp-filter': { _attributes: { name: 'VCALENDAR' } } },
        })
      : await addressBookQuery({
          ...client,
          props: { 'd:getetag': {}, 'card:address-data': {} },
          filters: { 'prop-filter': { _attributes: { name: 'FN' } } },
        });
    return responses
      .filter(({ ok }) => ok)
      .map(({ href = '', props }) => ({
        uid: idOf(href).replace(/\.\w+$/, ''),
        etag: textOf(props, 'getetag'),
        text: textOf(props, isCalendar ? 'calendarData' : 'addressData'),
      }))
      .toSorted((a, b) => (a.uid < b.uid ? -1 : 1));
  }

  async find(id: string, uid: string): Promise<StoredText | undefined> {
    const response = await this.#client.fetch(this.#url(id, uid));
    if (response.status === 404) return undefined;
    if (!response.ok) throw refusal(response.status, `${uid} cannot be read`);
    return { uid, etag: response.headers.get('etag') ?? '', text: await response.text() };
  }

  async put(id: string, uid: string, text: string, condition: WriteCondition): Promise<string> {
    if (condition === 'new') await this.#mustExist(id);
    const response = await this.#client.fetch(this.#url(id, uid), {
      method: 'PUT',
      body: text,
      headers: {
        'content-type': this.#kind.contentType,
        ...(condition === 'new' ? { 'if-none-match': '*' } : { 'if-match': condition.etag }),
      },
    });
    if (response.status === 412) {
      const current = await this.find(id, uid);
      if (condition === 'new') throw conflict(`There is already a ${this.#kind.item} ${uid}.`);
      throw stale(this.#kind.item, uid, found(current, this.#kind.item, uid).etag);
    }
    if (!response.ok) throw refusal(response.status, `${uid} was not written`);
    // A server that changes what it stores does not say under which tag.
    return response.headers.get('etag') ?? (await this.find(id, uid))?.etag ?? '';
  }

  async removeText(id: string, uid: string): Promise<boolean> {
    const { status, ok } = await this.#client.fetch(this.#url(id, uid), { method: 'DELETE' });
    if (status === 404) return false;
    if (!ok) throw refusal(status, `${uid} was not deleted`);
    return true;
  }

  async #mustExist(id: string): Promise<void> {
    const all = await this.list();
    found(
      all.find((each) => each.id === id),
      this.#kind.kind,
      id,
    );
  }

  async #send(
    method: 'MKCALENDAR' | 'MKCOL' | 'PROPPATCH',
    id: string,
    body: object,
  ): Promise<void> {
    const responses = await davRequest({
      url: this.#url(id),
      init: { method, body, namespace: 'd' },
      fetch: this.#client.fetch,
    });
    const failed = responses.find(({ ok, status }) => !ok && status >= 400);
    if (failed !== undefined) throw refusal(failed.status, `${method} of ${id} failed`);
  }

  #url(id: string, uid?: string): string {
    const file = uid === undefined ? '' : `${encodeURIComponent(uid)}.${this.#kind.extension}`;
    return `${this.#home.href}${encodeURIComponent(id)}/${file}`;
  }
}

/** Address books have no colour. */
function toProps(props: Partial<CollectionProps>, isCalendar: boolean): Record<string, string> {
  const { display_name, description, color } = props;
  const described = isCalendar ? 'c:calendar-description' : 'card:addressbook-description';
  return {
    ...(display_name !== undefined && { 'd:displayname': display_name }),
    ...(description !== undefined && description !== '' && { [described]: description }),
    ...(isCalendar && color !== undefined && color !== '' && { 'ca:calendar-color': color }),
  };
}

function idOf(href: string): string {
  const names = new URL(href, 'http://localhost').pathname.split('/').filter((name) => name !== '');
  return decodeURIComponent(names.at(-1) ?? '');
}
