/** Nextcloud's feed reader tools, all of them reads. */
import type { Declaration } from 'plimsoll';
import { reads } from 'plimsoll';
import { declare } from '../golden.ts';
import { ownAccount } from './own-account.ts';

const READ = ['news:read'];

export const news: readonly Declaration[] = [
  declare('nc_news_list_folders', 'List News Folders', reads('news folder', ownAccount), READ),
  declare('nc_news_list_feeds', 'List News Feeds', reads('feed', ownAccount), READ),
  declare('nc_news_list_items', 'List News Items', reads('news item', ownAccount), READ),
  declare('nc_news_get_item', 'Get News Item', reads('news item', ownAccount), READ),
  declare(
    'nc_news_get_starred_items',
    'Get Starred News Items',
    reads('news item', ownAccount),
    READ,
  ),
  declare(
    'nc_news_get_unread_items',
    'Get Unread News Items',
    reads('news item', ownAccount),
    READ,
  ),
  declare('nc_news_get_feed_health', 'Get News Feed Health', reads('feed', ownAccount), READ),
  declare('nc_news_get_status', 'Get News App Status', reads('news app', ownAccount), READ),
];
