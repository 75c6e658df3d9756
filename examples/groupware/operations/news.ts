/** The feed reader: folders, feeds and items. All of its tools read. */
import type { Operation } from 'plimsoll/server';
import { reads } from 'plimsoll/server';
import * as z from 'zod';
import type { NewsItem } from '../backend.ts';
import { found } from '../refuse.ts';
import type { Groupware } from './declare.ts';
import { declare, ownAccount } from './declare.ts';
import { id, limit, maybe, offset } from './parameters.ts';

const scopes = ['news:read'];

const FeedOut = z.object({
  id: z.int(),
  folder_id: z.int().nullable(),
  title: z.string(),
  url: z.string(),
  unread_count: z.int(),
});
const ItemOut = z.object({
  id: z.int(),
  feed_id: z.int(),
  title: z.string(),
  url: z.string(),
  author: z.string(),
  body: z.string(),
  published: z.string(),
  unread: z.boolean(),
  starred: z.boolean(),
});
const Items = z.object({ items: z.array(ItemOut) });

const most = limit(50).describe('How many to return at most');

export function newsOperations(groupware: Groupware): readonly Operation[] {
  const items = { output: Items, effect: reads('news item', ownAccount), scopes };
  return [
    declare(groupware, {
      name: 'nc_news_list_folders',
      title: 'List News Folders',
      description: 'Lists the folders of the feed reader.',
      input: z.object({}),
      output: z.object({ folders: z.array(z.object({ id: z.int(), name: z.string() })) }),
      effect: reads('news folder', ownAccount),
      scopes,
      run: async (_, { news }) => ({ folders: [...(await news.folders())] }),
    }),

    declare(groupware, {
      name: 'nc_news_list_feeds',
      title: 'List News Feeds',
      description: 'Lists the feeds with the number of their unread items.',
      input: z.object({}),
      output: z.object({ feeds: z.array(FeedOut) }),
      effect: reads('feed', ownAccount),
      scopes,
      run: async (_, { news }) => ({
        feeds: (await news.feeds()).map(({ id: feedId, folder_id, title, url, unread_count }) => ({
          id: feedId,
          folder_id,
          title,
          url,
          unread_count,
        })),
      }),
    }),

    declare(groupware, {
      ...items,
      name: 'nc_news_list_items',
      title: 'List News Items',
      description: 'Lists items of feeds, newest first.',
      input: z.object({
        feed_id: maybe(id('feed')).describe('Only items of this feed'),
        folder_id: maybe(id('folder')).describe('Only items of feeds in this folder'),
        starred_only: z.boolean().default(false).describe('Only starred items'),
        unread_only: z.boolean().default(false).describe('Only unread items'),
        limit: most,
        offset,
      }),
      run: async (input, { news }) =>
        toItems(
          await news.items({
            feedId: input.feed_id ?? undefined,
            folderId: input.folder_id ?? undefined,
            starredOnly: input.starred_only,
            unreadOnly: input.unread_only,
            limit: input.limit,
            offset: input.offset,
          }),
        ),
    }),

    declare(groupware, {
      name: 'nc_news_get_item',
      title: 'Get News Item',
      description: 'Returns one item.',
      input: z.object({ item_id: id('item') }),
      output: ItemOut,
      effect: reads('news item', ownAccount),
      scopes,
      run: async ({ item_id }, { news }) => found(await news.find(item_id), 'item', item_id),
    }),

    declare(groupware, {
      ...items,
      name: 'nc_news_get_starred_items',
      title: 'Get Starred News Items',
      description: 'Lists starred items, newest first.',
      input: z.object({ limit: most, offset }),
      run: async (page, { news }) =>
        toItems(await news.items({ ...page, starredOnly: true, unreadOnly: false })),
    }),

    declare(groupware, {
      ...items,
      name: 'nc_news_get_unread_items',
      title: 'Get Unread News Items',
      description: 'Lists unread items, newest first.',
      input: z.object({ limit: most, offset }),
      run: async (page, { news }) =>
        toItems(await news.items({ ...page, starredOnly: false, unreadOnly: true })),
    }),

    declare(groupware, {
      name: 'nc_news_get_feed_health',
      title: 'Get News Feed Health',
      description: 'Returns whether a feed could be read the last time, and why not.',
      input: z.object({ feed_id: id('feed') }),
      output: z.object({
        feed_id: z.int(),
        title: z.string(),
        healthy: z.boolean(),
        update_error_count: z.int(),
        last_update_error: z.string().nullable(),
      }),
      effect: reads('feed', ownAccount),
      scopes,
      run: async ({ feed_id }, { news }) => {
        const feeds = await news.feeds();
        const feed = found(
          feeds.find((each) => each.id === feed_id),
          'feed',
          feed_id,
        );
        const { title, update_error_count, last_update_error } = feed;
        const healthy = update_error_count === 0;
        return { feed_id, title, healthy, update_error_count, last_update_error };
      },
    }),

    declare(groupware, {
      name: 'nc_news_get_status',
      title: 'Get News App Status',
      description: 'Returns the version of the feed reader and its warnings.',
      input: z.object({}),
      output: z.object({ version: z.string(), warnings: z.array(z.string()) }),
      effect: reads('news app', ownAccount),
      scopes,
      run: async (_, { news }) => {
        const { version, warnings } = await news.status();
        return { version, warnings: [...warnings] };
      },
    }),
  ];
}

function toItems(items: readonly NewsItem[]): z.infer<typeof Items> {
  return { items: [...items] };
}
