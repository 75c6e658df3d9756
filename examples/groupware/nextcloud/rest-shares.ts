/** Shares over the OCS API. What would show the address of a link again is not passed on. */
import * as z from 'zod';
import type { Share, Shares } from '../backend.ts';
import { toPath } from '../file-path.ts';
import type { GroupwareClient } from './client.ts';
import { ocsData, orMissing, wasThere } from './rest.ts';

const RawShare = z.object({
  id: z.coerce.number(),
  path: z.string(),
  share_type: z.coerce.number(),
  share_with: z.string().nullish(),
  permissions: z.coerce.number(),
  uid_owner: z.string(),
  stime: z.coerce.number(),
  url: z.string().optional(),
});

export function restShares(client: GroupwareClient, base: string): Shares {
  const api = `${base}/ocs/v2.php/apps/files_sharing/api/v1/shares`;
  return {
    create: async ({ path, share_type, share_with, permissions }) => {
      const body = {
        path: `/${toPath(path)}`,
        shareType: share_type,
        permissions,
        ...(share_with !== null && { shareWith: share_with }),
      };
      const raw = RawShare.parse(await ocsData(client.json('POST', api, body)));
      return { share: toShare(raw), ...(raw.url !== undefined && { url: raw.url }) };
    },
    find: async (id) => {
      const raw = await orMissing(ocsData(client.json('GET', `${api}/${id}`)));
      const [first] = z
        .union([z.array(RawShare), RawShare.transform((one) => [one])])
        .parse(raw ?? []);
      return first && toShare(first);
    },
    list: async ({ path, withMe }) => {
      const query = new URLSearchParams({
        ...(path !== undefined && { path: `/${toPath(path)}` }),
        ...(withMe && { shared_with_me: 'true' }),
      });
      const raw = await ocsData(client.json('GET', `${api}?${query.toString()}`));
      return z.array(RawShare).parse(raw).map(toShare);
    },
    update: async (id, permissions) =>
      toShare(RawShare.parse(await ocsData(client.json('PUT', `${api}/${id}`, { permissions })))),
    remove: (id) => wasThere(client.json('DELETE', `${api}/${id}`)),
  };
}

function toShare(raw: z.infer<typeof RawShare>): Share {
  return {
    id: raw.id,
    path: toPath(raw.path),
    share_type: raw.share_type,
    share_with: raw.share_with ?? null,
    permissions: raw.permissions,
    owner: raw.uid_owner,
    created: new Date(raw.stime * 1000).toISOString(),
    // The API has no tags; what can be changed is what it permits.
    etag: `${raw.id}-${raw.permissions}`,
  };
}
