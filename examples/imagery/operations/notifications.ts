/** The caller's inbox. */
import type { Operation } from 'plimsoll/server';
import { reads, sets } from 'plimsoll/server';
import * as z from 'zod';
import type { Shop } from './declare.ts';
import { declare } from './declare.ts';
import { account, final } from './facts.ts';
import { found } from './refuse.ts';
import { limitOf, offset } from './schemas.ts';

const read = ['notifications:read'];
const write = ['notifications:write'];
const notificationId = z.string().max(80).describe('Which notification');

const NotificationOut = z.object({
  id: z.string(),
  kind: z.string(),
  title: z.string(),
  subject: z.string(),
  created_at: z.string(),
  read_at: z.string().nullable(),
});

export function notificationOperations(shop: Shop): readonly Operation[] {
  const { inbox } = shop.store;
  return [
    declare(shop, {
      name: 'notifications.list',
      title: 'List Notifications',
      description: 'Lists your notifications, newest first.',
      input: z.object({
        unread_only: z.boolean().default(false).describe('Only unread ones'),
        limit: limitOf(50),
        offset,
      }),
      output: z.object({ notifications: z.array(NotificationOut).readonly() }),
      effect: reads('notification', account),
      scopes: read,
      run: ({ unread_only, limit, offset: skip }, caller) => ({
        notifications: inbox.list(caller, { limit, offset: skip }, unread_only),
      }),
    }),

    declare(shop, {
      name: 'notifications.unread_count',
      title: 'Count Unread Notifications',
      description: 'Returns how many of your notifications are unread.',
      input: z.object({}),
      output: z.object({ unread: z.int() }),
      effect: reads('notification', account),
      scopes: read,
      run: (_, caller) => ({ unread: inbox.countUnread(caller) }),
    }),

    declare(shop, {
      name: 'notifications.mark_read',
      title: 'Mark Notification Read',
      description: 'Marks one of your notifications as read.',
      input: z.object({ notification_id: notificationId }),
      output: z.object({ id: z.string() }),
      effect: sets('read mark', { ...account, ...final }),
      scopes: write,
      run: ({ notification_id: id }, caller) => {
        found(inbox.markRead(caller, id) || undefined, 'notification', id);
        return { id };
      },
    }),

    declare(shop, {
      name: 'notifications.mark_all_read',
      title: 'Mark All Notifications Read',
      description: 'Marks all of your notifications as read.',
      input: z.object({}),
      output: z.object({ marked_count: z.int() }),
      effect: sets('read mark', { ...account, ...final, repeat: 'end-state' }),
      scopes: write,
      run: (_, caller) => ({ marked_count: inbox.markAllRead(caller) }),
    }),

    declare(shop, {
      name: 'notifications.dismiss',
      title: 'Dismiss Notification',
      description: 'Hides one of your notifications.',
      input: z.object({ notification_id: notificationId }),
      output: z.object({ id: z.string() }),
      effect: sets('dismissal', { ...account, ...final }),
      scopes: write,
      run: ({ notification_id: id }, caller) => {
        found(inbox.dismiss(caller, id) || undefined, 'notification', id);
        return { id };
      },
    }),
  ];
}
