/** The feed reader on SQLite. Feeds are read when an account is opened; see `seed.ts`. */
import type { Feed, ItemQuery, News, NewsFolder, NewsItem } from '../backend.ts';
import type { Database, Values } from '../../shared/database.ts';
import { Table } from './table.ts';

type Stored<T> = T & { readonly etag: string };

export function embeddedNews(db: Database, user: string): News {
  const folders = new Table<Stored<NewsFolder>>(db, 'news_folders', 'folder');
  const feeds = new Table<Stored<Omit<Feed, 'unread_count'>>>(db, 'feeds', 'feed');
  const items = new Table<Stored<NewsItem>>(db, 'news_items', 'item', {
    flags: ['unread', 'starred'],
  });
  const listFeeds = (): readonly Feed[] =>
    feeds.select(user, 'ORDER BY id').map((stored) => {
      const feed = shown(stored);
      const sql = 'SELECT count(*) AS n FROM news_items WHERE feed_id = :id AND unread = 1';
      return { ...feed, unread_count: Number(db.get(sql, { id: feed.id })?.['n']) };
    });
  return {
    folders: async () => folders.select(user, 'ORDER BY id').map(({ id, name }) => ({ id, name })),
    feeds: async () => listFeeds(),
    items: async (query) => {
      const { rest, values } = toFilter(query);
      return items.select(user, rest, values).map(shown);
    },
    find: async (id) => {
      const item = items.find(user, id);
      return item && shown(item);
    },
    status: async () => ({
      version: '1.0.0',
      warnings: listFeeds()
        .filter(({ update_error_count }) => update_error_count > 0)
        .map(({ title }) => `The feed ${title} could not be read.`),
    }),
  };
}

function toFilter({ feedId, folderId, starredOnly, unreadOnly, limit, offset }: ItemQuery): {
  readonly rest: string;
  readonly values: Values;
} {
  const parts = [
    feedId !== undefined && 'feed_id = :feedId',
    folderId !== undefined && 'feed_id IN (SELECT id FROM feeds WHERE folder_id = :folderId)',
    starredOnly && 'starred = 1',
    unreadOnly && 'unread = 1',
  ].filter((part) => part !== false);
  return {
    rest: `${parts.map((part) => `AND ${part} `).join('')}ORDER BY published DESC, id LIMIT :limit OFFSET :offset`,
    values: { feedId: feedId ?? null, folderId: folderId ?? null, limit, offset },
  };
}

/** Nothing here is updated, so callers have no use for tags. */
function shown<T extends object>(stored: Stored<T>): T {
  const { etag, ...rest } = stored;
  void etag;
  return rest as unknown as T;
}
