/** Calendars over CalDAV and address books over CardDAV: conditional writes, with the server's own etags. */
import { ProblemError } from 'plimsoll/server';
import { davRequest, propfind } from 'tsdav';
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
import { idOf, isOfType, textOf } from './dav-props.ts';
import type { Located } from './query-texts.ts';
import { queryTexts } from './query-texts.ts';

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
      throw conflict(`The ${this.#kind.kind} ${id} exists already.`);
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
    const stored = await this.#query(id);
    return stored.toSorted((a, b) => (a.uid < b.uid ? -1 : 1));
  }

  async find(id: string, uid: string): Promise<StoredText | undefined> {
    return this.#find(id, uid);
  }

  async put(id: string, uid: string, text: string, condition: WriteCondition): Promise<string> {
    if (condition === 'new') await this.#mustExist(id);
    const before = await this.#find(id, uid);
    if (condition === 'new' && before !== undefined) throw this.#taken(uid);
    const response = await this.#client.fetch(before?.url ?? this.#url(id, uid), {
      method: 'PUT',
      body: text,
      headers: {
        'content-type': this.#kind.contentType,
        ...(condition === 'new' ? { 'if-none-match': '*' } : { 'if-match': condition.etag }),
      },
    });
    if (response.status === 412) {
      if (condition === 'new') throw this.#taken(uid);
      throw stale(
        this.#kind.item,
        uid,
        found(await this.#find(id, uid), this.#kind.item, uid).etag,
      );
    }
    if (!response.ok) throw refusal(response.status, `${uid} was not written`);
    // A server that changes what it stores does not say under which tag.
    return response.headers.get('etag') ?? (await this.#find(id, uid))?.etag ?? '';
  }

  async removeText(id: string, uid: string, etag?: string): Promise<boolean> {
    const before = await this.#find(id, uid);
    if (before === undefined) return false;
    const { status, ok } = await this.#client.fetch(before.url, {
      method: 'DELETE',
      ...(etag !== undefined && { headers: { 'if-match': etag } }),
    });
    if (status === 404) return false;
    if (status === 412) throw stale(this.#kind.item, uid, before.etag);
    if (!ok) throw refusal(status, `${uid} was not deleted`);
    return true;
  }

  /** Under the name that this program gives to files, or under any that another program gave. */
  async #find(id: string, uid: string): Promise<Located | undefined> {
    const url = this.#url(id, uid);
    // No file is called like that, and some servers refuse to look.
    const response = uid.includes('/') ? undefined : await this.#client.fetch(url);
    if (response === undefined || response.status === 404) {
      const all = await this.#query(id, uid);
      return all.find((each) => each.uid === uid);
    }
    if (!response.ok) throw refusal(response.status, `${uid} cannot be read`);
    return { uid, url, etag: response.headers.get('etag') ?? '', text: await response.text() };
  }

  #query(id: string, uid?: string): Promise<readonly Located[]> {
    return queryTexts(this.#client, {
      url: this.#url(id),
      isCalendar: this.#kind === CALENDARS,
      uid,
    });
  }

  #taken(uid: string): ProblemError {
    return conflict(`There is already a ${this.#kind.item} ${uid}.`);
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
    // In an address they mean another collection, or all of them.
    if (/^\.{0,2}$/.test(id))
      throw new ProblemError('not-found', `There is no ${this.#kind.kind} ${id}.`);
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
