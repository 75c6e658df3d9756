/** Share links: created by those who may share data, opened by whoever has the address. */
import type { Operation } from 'plimsoll/server';
import { ProblemError, reads, revokes, shares } from 'plimsoll/server';
import * as z from 'zod';
import { hashPassword, hashToken } from '../secret-hash.ts';
import type { Caller, Shop } from './declare.ts';
import { declare } from './declare.ts';
import { account, outside, platform } from './facts.ts';
import { toStac } from './item-reads.ts';
import { openShare } from './open-share.ts';
import { found, foundCollection, foundItem, invalid } from './refuse.ts';
import { DoneOut } from './schemas.ts';

const write = ['shares:write'];

const TargetType = z.enum(['item', 'collection']);
const Permission = z.enum(['view', 'download']);
const MOST_DAYS = 365;

const LinkOut = z.object({
  id: z.string(),
  token: z.string(),
  url: z.string(),
  target_type: TargetType,
  target_id: z.string(),
  permission: Permission,
  organization_id: z.string(),
  project_id: z.string(),
  expires_at: z.string(),
  revoked_at: z.string().nullable(),
  created_by: z.string(),
  created_at: z.string(),
});

export function shareOperations(shop: Shop): readonly Operation[] {
  const { store } = shop;

  function projectOf(type: 'item' | 'collection', id: string, { organisation }: Caller): string {
    return type === 'item'
      ? foundItem(store, organisation, id).project_id
      : foundCollection(store, organisation, id).project_id;
  }

  return [
    declare(shop, {
      name: 'share.link.create',
      title: 'Create Share Link',
      description:
        'Creates a link to one item or collection. It opens without signing in, for anyone who has its URL. The URL and its token are shown only once, here; a second call creates another link.',
      input: z.object({
        target_type: TargetType.describe('What is shared'),
        target_id: z.string().max(80).describe('Which item or collection'),
        permission: Permission.default('view').describe('What the link allows; default: view'),
        password: z
          .string()
          .min(8)
          .max(200)
          .optional()
          .describe('A password that visitors need in addition; default: none'),
        expires_at: z.iso.datetime().describe('When the link expires; within a year'),
      }),
      output: LinkOut,
      effect: shares('link', { ...outside, secrets: ['token', 'url'] }),
      scopes: write,
      produces: ['share_link'],
      run: async ({ password, expires_at, ...target }, caller) => {
        const project_id = projectOf(target.target_type, target.target_id, caller);
        if (store.projects.roleOf(project_id, caller.user) === 'viewer') {
          throw new ProblemError('forbidden', 'Viewers of a project cannot share from it.');
        }
        const ttlSeconds = Math.floor((Date.parse(expires_at) - caller.at.getTime()) / 1000);
        if (ttlSeconds <= 0 || ttlSeconds > MOST_DAYS * 86_400) {
          return invalid('/expires_at', 'A link must expire in the future, within a year.');
        }
        const base = await shop.web();
        const password_hash = password === undefined ? null : await hashPassword(password);
        const { secret } = await caller.secrets().mint({
          prefix: 'share',
          subject: `${target.target_type} ${target.target_id}`,
          ttlSeconds,
        });
        const link = store.shareLinks.create(caller, {
          ...target,
          project_id,
          expires_at: new Date(expires_at).toISOString(),
          token_hash: hashToken(secret.reveal()),
          password_hash,
        });
        return { ...link, token: secret.reveal(), url: `${base}/s/${secret.reveal()}` };
      },
    }),

    declare(shop, {
      name: 'share.link.validate',
      title: 'Open Share Link',
      description: 'Returns what a share link leads to, for anyone who has its token.',
      input: z.object({
        token: z.string().max(200).describe('The token of the link'),
        password: z.string().max(200).optional().describe('The password, if the link has one'),
      }),
      output: z.object({
        permission: Permission,
        target_type: TargetType,
        target: z.object({ id: z.string(), name: z.string(), items: z.array(z.unknown()) }),
      }),
      effect: reads('shared item', platform),
      scopes: ['shares:read'],
      run: async ({ token, password }) => {
        const opened = await openShare(shop, token, password);
        if (opened.kind !== 'opened') {
          const detail = 'The link or its password is wrong, or it has expired or been revoked.';
          throw new ProblemError('not-found', detail);
        }
        const { link, id, name, items } = opened;
        const { permission, target_type } = link;
        return { permission, target_type, target: { id, name, items: items.map(toStac) } };
      },
    }),

    declare(shop, {
      name: 'share.link.revoke',
      title: 'Revoke Share Link',
      description: 'Revokes a share link permanently.',
      input: z.object({ link_id: z.string().max(80).describe('Which link') }),
      output: DoneOut,
      effect: revokes('link', account),
      scopes: write,
      run: ({ link_id }, caller) => {
        const isRevoked = store.shareLinks.revoke(caller, link_id);
        return { ok: found(isRevoked || undefined, 'share link', link_id), id: link_id };
      },
    }),
  ];
}
