/** Sharing knows one scope, so even its reads need the right to write. A link's address is shown once. */
import type { Operation } from 'plimsoll/server';
import { reads, revokes, Secret, shares, updates } from 'plimsoll/server';
import * as z from 'zod';
import { found, invalid } from '../refuse.ts';
import type { Groupware } from './declare.ts';
import { declare, ownAccount } from './declare.ts';
import { etag, id, maybe, Removed, text } from './parameters.ts';

const WRITE = ['sharing:write'];

const SHARE_TYPES = { user: 0, group: 1, link: 3, mail: 4 } as const;

const ShareOut = z.object({
  id: z.int(),
  path: z.string(),
  share_type: z.int(),
  share_with: z.string().nullable(),
  permissions: z.int(),
  owner: z.string(),
  created: z.string(),
  etag,
});

const shareId = id('share');
const permissions = z
  .int()
  .min(1)
  .max(31)
  .describe('Sum of 1 read, 2 update, 4 create, 8 delete, 16 share');

export function sharingOperations(groupware: Groupware): readonly Operation[] {
  return [
    declare(groupware, {
      name: 'nc_share_create',
      title: 'Create Share',
      description:
        'Shares a file or directory with a user, a group, a mail address or, as a public link, with anyone who has its address. The address of a public link is shown only once, here.',
      input: z.object({
        path: text(4000).min(1).describe('Path from the root of the account'),
        share_with: text(500).describe(
          'Id of the user or group, or mail address; empty for a link',
        ),
        share_type: z
          .literal(Object.values(SHARE_TYPES))
          .default(SHARE_TYPES.user)
          .describe('0 user, 1 group, 3 public link, 4 mail'),
        permissions: permissions.default(1),
      }),
      output: ShareOut.extend({ url: z.string().optional().describe('Address of a public link') }),
      effect: shares('file', { ...ownAccount, secrets: ['url'] }),
      scopes: WRITE,
      produces: ['share'],
      run: async (input, account) => {
        const isLink = input.share_type === SHARE_TYPES.link;
        if (!isLink && input.share_with === '') {
          throw invalid('/share_with', 'Only a public link is shared with nobody in particular.');
        }
        const fields = { ...input, share_with: isLink ? null : input.share_with };
        const { share, url } = await account.shares.create(fields);
        // Unwrapped by the kit, on the way to the caller and nowhere else.
        return {
          ...share,
          ...(url !== undefined && { url: new Secret(url) as unknown as string }),
        };
      },
    }),

    declare(groupware, {
      name: 'nc_share_delete',
      title: 'Delete Share',
      description: 'Ends a share: a public link opens nothing from then on.',
      input: z.object({ share_id: shareId }),
      output: Removed,
      effect: revokes('share', ownAccount),
      scopes: WRITE,
      run: async ({ share_id }, account) => ({ deleted: await account.shares.remove(share_id) }),
    }),

    declare(groupware, {
      name: 'nc_share_get',
      title: 'Get Share Details',
      description: 'Returns one share, without the address of a public link.',
      input: z.object({ share_id: shareId }),
      output: ShareOut,
      effect: reads('share', ownAccount),
      scopes: WRITE,
      run: async ({ share_id }, account) =>
        found(await account.shares.find(share_id), 'share', share_id),
    }),

    declare(groupware, {
      name: 'nc_share_list',
      title: 'List Shares',
      description: 'Lists what the account has shared, or what others have shared with it.',
      input: z.object({
        path: maybe(text(4000)).describe('Only shares of this file or directory'),
        shared_with_me: z.boolean().default(false).describe('What others have shared instead'),
      }),
      output: z.object({ shares: z.array(ShareOut) }),
      effect: reads('share', ownAccount),
      scopes: WRITE,
      run: async ({ path, shared_with_me: withMe }, account) => {
        const filter = { withMe, ...(path != null && { path }) };
        return { shares: [...(await account.shares.list(filter))] };
      },
    }),

    declare(groupware, {
      name: 'nc_share_update',
      title: 'Update Share',
      description:
        'Changes what a share permits; everything else stays as it is. It takes no etag: the latest version is changed.',
      input: z.object({ share_id: shareId, permissions }),
      output: ShareOut,
      effect: updates('share', ownAccount),
      scopes: WRITE,
      run: (input, account) => account.shares.update(input.share_id, input.permissions),
    }),
  ];
}
