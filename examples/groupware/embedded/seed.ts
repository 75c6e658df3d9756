/**
 * What a new account starts with: a calendar, an address book, a table, a favourite file and feeds,
 * which no tool can make. The same for everyone.
 */
import { readFileSync } from 'node:fs';
import { parseFeed } from 'feedsmith';
import type { Column } from '../backend.ts';
import type { Database } from '../../shared/database.ts';
import type { EmbeddedFiles } from './files.ts';
import { DEFAULT_CONFIG } from './recipes.ts';
import { Table } from './table.ts';

type Stored = { readonly id: number; readonly etag: string };

const COLUMNS: readonly Column[] = [
  { id: 1, title: 'Item', type: 'text', mandatory: true, options: [] },
  { id: 2, title: 'Amount', type: 'number', mandatory: false, options: [] },
  { id: 3, title: 'Bought on', type: 'datetime', mandatory: false, options: [] },
  { id: 4, title: 'State', type: 'selection', mandatory: false, options: ['open', 'paid'] },
];

const FEEDS = [
  { file: 'harbour.xml', title: 'Harbour Gazette', url: 'https://gazette.example/feed' },
  { file: 'releases.xml', title: 'Tide Tables Releases', url: 'https://tides.example/feed' },
  { file: 'broken.xml', title: 'Old Blog', url: 'https://blog.example/feed' },
] as const;

/**
 * Does nothing for an account that exists. The account exists once everything in it does, so one that
 * was interrupted is set up again, and of two processes one comes first.
 */
export async function seedAccount(db: Database, user: string, files: EmbeddedFiles): Promise<void> {
  const exists = db.get('SELECT 1 FROM accounts WHERE user = :user', { user }) !== undefined;
  if (exists) return;
  await files.makeDirectory('Documents');
  await files.write('Documents/Welcome.md', Buffer.from('# Welcome\n\nThis is your account.\n'));
  files.setFavorite('Documents/Welcome.md');
  db.atomically(() => {
    const sql =
      'INSERT INTO accounts (user, cookbook_config) VALUES (:user, :config) ON CONFLICT DO NOTHING';
    const { changes } = db.run(sql, { user, config: JSON.stringify(DEFAULT_CONFIG) });
    if (changes === 0) return;
    db.run(
      `INSERT INTO collections (user, kind, id, display_name, description, color) VALUES
       (:user, 'calendar', 'personal', 'Personal', '', '#1976D2'),
       (:user, 'address book', 'contacts', 'Contacts', '', '')`,
      { user },
    );
    const table = new Table<Stored>(db, 'tables', 'table', { json: ['columns'] }).insert(user, {
      title: 'Expenses',
      columns: COLUMNS,
    });
    const rows = new Table<Stored>(db, 'table_rows', 'row', { json: ['data'] });
    rows.insert(user, { table_id: table.id, data: { 1: 'Chairs', 2: 240, 3: null, 4: 'paid' } });
    seedNews(db, user);
  });
}

function seedNews(db: Database, user: string): void {
  const folder = new Table<Stored>(db, 'news_folders', 'folder').insert(user, { name: 'Local' });
  const feeds = new Table<Stored>(db, 'feeds', 'feed');
  const items = new Table<Stored>(db, 'news_items', 'item', { flags: ['unread', 'starred'] });
  for (const [index, { file, title, url }] of FEEDS.entries()) {
    const reading = readFeed(readFileSync(new URL(`../feeds/${file}`, import.meta.url), 'utf8'));
    const feed = feeds.insert(user, {
      folder_id: index === 0 ? folder.id : null,
      title,
      url,
      update_error_count: reading.error === null ? 0 : 1,
      last_update_error: reading.error,
    });
    for (const [place, item] of reading.items.entries()) {
      items.insert(user, { ...item, feed_id: feed.id, unread: place !== 0, starred: place === 1 });
    }
  }
}

interface FeedItem {
  readonly title: string;
  readonly url: string;
  readonly author: string;
  readonly body: string;
  readonly published: string;
}

function readFeed(text: string): {
  readonly items: readonly FeedItem[];
  readonly error: string | null;
} {
  try {
    const { format, feed } = parseFeed(text);
    if (format === 'rss') {
      const items = (feed.items ?? []).map((item) => ({
        title: item.title ?? '',
        url: item.link ?? '',
        author: item.dc?.creators?.[0] ?? '',
        body: item.description ?? '',
        published: toIso(item.pubDate),
      }));
      return { items, error: null };
    }
    if (format === 'atom') {
      const items = (feed.entries ?? []).map((entry) => ({
        title: entry.title?.value ?? '',
        url: entry.links?.[0]?.href ?? '',
        author: entry.authors?.[0]?.name ?? '',
        body: entry.summary?.value ?? '',
        published: toIso(entry.published),
      }));
      return { items, error: null };
    }
    return { items: [], error: `The format ${format} is not supported.` };
  } catch {
    return { items: [], error: 'The address does not answer with a feed.' };
  }
}

function toIso(date: string | undefined): string {
  return new Date(date ?? 0).toISOString();
}
