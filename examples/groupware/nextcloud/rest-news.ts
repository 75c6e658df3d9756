/** The news app over its REST API, version 1.3. */
import * as z from 'zod';
import type { News, NewsItem } from '../backend.ts';
import type { GroupwareClient } from './client.ts';

const Folders = z.object({ folders: z.array(z.object({ id: z.number(), name: z.string() })) });
const Feeds = z.object({
  feeds: z.array(
    z.object({
      id: z.number(),
      folderId: z.number().nullish(),
      title: z.string(),
      url: z.string(),
      unreadCount: z.number().default(0),
      updateErrorCount: z.number().default(0),
      lastUpdateError: z.string().nullish(),
    }),
  ),
});
const Items = z.object({
  items: z.array(
    z.object({
      id: z.number(),
      feedId: z.number(),
      title: z.string(),
      url: z.string().nullish(),
      author: z.string().nullish(),
      body: z.string().nullish(),
      pubDate: z.number(),
      unread: z.boolean(),
      starred: z.boolean(),
    }),
  ),
});
const Status = z.object({
  version: z.string(),
  warnings: z.record(z.string(), z.unknown()).default({}),
});

/** How the API names what is asked for. */
const KIND = { feed: 0, folder: 1, starred: 2, all: 3 } as const;

export function restNews(client: GroupwareClient, base: string): News {
  const api = `${base}/apps/news/api/v1-3`;
  const read = async (query: Record<string, string>): Promise<readonly NewsItem[]> => {
    const answer = await client.json(
      'GET',
      `${api}/items?${new URLSearchParams(query).toString()}`,
    );
    return Items.parse(answer).items.map(({ feedId, pubDate, ...item }) => ({
      ...item,
      feed_id: feedId,
      url: item.url ?? '',
      author: item.author ?? '',
      body: item.body ?? '',
      published: new Date(pubDate * 1000).toISOString(),
    }));
  };
  return {
    folders: async () => Folders.parse(await client.json('GET', `${api}/folders`)).folders,
    feeds: async () =>
      Feeds.parse(await client.json('GET', `${api}/feeds`)).feeds.map((feed) => ({
        id: feed.id,
        folder_id: feed.folderId ?? null,
        title: feed.title,
        url: feed.url,
        unread_count: feed.unreadCount,
        update_error_count: feed.updateErrorCount,
        last_update_error: feed.lastUpdateError ?? null,
      })),
    items: async ({ feedId, folderId, starredOnly, unreadOnly, limit, offset }) => {
      const [type, id] =
        feedId !== undefined
          ? [KIND.feed, feedId]
          : folderId !== undefined
            ? [KIND.folder, folderId]
            : [starredOnly ? KIND.starred : KIND.all, 0];
      // The API pages by id and not by number, so what is skipped is read, too.
      const items = await read({
        type: String(type),
        id: String(id),
        getRead: String(!unreadOnly),
        batchSize: String(limit + offset),
      });
      const wanted = items.filter(({ starred }) => !starredOnly || starred);
      return wanted.slice(offset, offset + limit);
    },
    find: async (id) => {
      const query = { type: String(KIND.all), id: '0', getRead: 'true', batchSize: '-1' };
      return (await read(query)).find((item) => item.id === id);
    },
    status: async () => {
      const { version, warnings } = Status.parse(await client.json('GET', `${api}/status`));
      return { version, warnings: Object.keys(warnings).filter((name) => warnings[name] === true) };
    },
  };
}
