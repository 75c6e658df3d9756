/**
 * The nextcloud backend: one account of a real server, by its address and an app password. Files,
 * calendars and contacts go to any standard server; the apps' own APIs are Nextcloud's.
 */
import { ProblemError } from 'plimsoll/server';
import type { Account, Backend } from '../backend.ts';
import type { ClientInit } from './client.ts';
import { GroupwareClient } from './client.ts';
import { ADDRESS_BOOKS, CALENDARS, DavCollections } from './dav-collections.ts';
import { DavFiles } from './dav-files.ts';
import { restDeck } from './rest-deck.ts';
import { restNews } from './rest-news.ts';
import { restNotes } from './rest-notes.ts';
import { restRecipes } from './rest-recipes.ts';
import { restShares } from './rest-shares.ts';
import { restTables } from './rest-tables.ts';

export interface NextcloudInit extends ClientInit {
  /** Of the server: `https://cloud.example.com`. */
  readonly url: string;
  /** Where they are, on a server that is not a Nextcloud; each ends with a slash. */
  readonly places?: Readonly<Partial<Record<'files' | 'calendars' | 'addressBooks', string>>>;
}

export function openNextcloud(init: NextcloudInit): Backend {
  const client = new GroupwareClient(init);
  const base = init.url.replace(/\/+$/, '');
  const dav = `${base}/remote.php/dav`;
  const name = encodeURIComponent(init.user);
  const { places = {} } = init;
  const account: Account = Object.freeze({
    user: init.user,
    files:
      places.files === undefined
        ? new DavFiles(client, new URL(`${dav}/files/${name}/`), new URL(`${dav}/`))
        : new DavFiles(client, new URL(places.files)),
    calendars: new DavCollections(
      client,
      new URL(places.calendars ?? `${dav}/calendars/${name}/`),
      CALENDARS,
    ),
    addressBooks: new DavCollections(
      client,
      new URL(places.addressBooks ?? `${dav}/addressbooks/users/${name}/`),
      ADDRESS_BOOKS,
    ),
    notes: restNotes(client, base),
    deck: restDeck(client, base),
    tables: restTables(client, base),
    shares: restShares(client, base),
    recipes: restRecipes(client, base),
    news: restNews(client, base),
  });
  return {
    kind: 'nextcloud',
    account: () => account,
    prepare: async (user) => {
      if (user === init.user) return;
      const detail = `This server works with the account ${init.user} and no other.`;
      throw new ProblemError('forbidden', detail);
    },
    [Symbol.asyncDispose]: async () => {},
  };
}
