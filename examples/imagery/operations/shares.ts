/** Share links: made by who may let data out, opened by who has the token and the password. */
import type { Operation } from 'plimsoll/server';
import { ProblemError, reads, revokes, shares } from 'plimsoll/server';
import * as z from 'zod';
import type { RateRule } from '../rate-limit.ts';
import { hashPassword, hashToken, isPassword } from '../secret-hash.ts';
import type { ShareLink } from '../store/share-links.ts';
import type { Caller, Shop } from './declare.ts';
import { declare } from './declare.ts';
import { account, outside, platform } from './facts.ts';
import { toStac } from './item-reads.ts';
import { found, foundCollection, foundItem, invalid } from './refuse.ts';
import { DoneOut } from './schemas.ts';

const write = ['shares:write'];

const TargetType = z.enum(['item', 'collection']);
const Permission = z.enum(['view', 'download']);
const MOST_DAYS = 365;
const MOST_SHARED_ITEMS = 500;

/** For each token, whoever guesses. */
const GUESSES: RateRule = Object.freeze({ name: 'guesses', burst: 10, perMinute: 10 });

const LinkOut = z.object({
  id: z.string(),
  token: z.string(),
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
  const { store, limiter } = shop;

  function projectOf(type: 'item' | 'collection', id: string, { organisation }: Caller): string {
    return type === 'item'
      ? foundItem(store, organisation, id).project_id
      : foundCollection(store, organisation, id).project_id;
  }

  /** Unknown, ended, revoked and wrongly opened look the same to whoever tries. */
  async function opened(token: string, password: string, at: Date): Promise<ShareLink> {
    const hash = hashToken(token);
    const retryAfter = limiter.take(hash, GUESSES);
    if (retryAfter !== undefined) {
      throw new ProblemError('rate-limited', 'Too many tries at this link.', { retryAfter });
    }
    const locked = store.shareLinks.findByToken(hash);
    const isRight = locked !== undefined && (await isPassword(password, locked.passwordHash));
    if (!isRight || locked.link.revoked_at !== null || locked.link.expires_at <= at.toISOString()) {
      throw new ProblemError('not-found', 'The link or its password is wrong, or it has ended.');
    }
    return locked.link;
  }

  return [
    declare(shop, {
      name: 'share.link.create',
      title: 'Create Share Link',
      description:
        'Makes a link to one item or collection, for whoever has its token and password. The token is shown only here; made again, it is another one.',
      input: z.object({
        target_type: TargetType.describe('What is shared'),
        target_id: z.string().max(80).describe('Which item or collection'),
        permission: Permission.default('view').describe('What the link allows; view unless told'),
        password: z.string().min(8).max(200).describe('What visitors must know besides the token'),
        expires_at: z.iso.datetime().describe('When the link ends; within a year'),
      }),
      output: LinkOut,
      effect: shares('link', { ...outside, secrets: ['token'] }),
      scopes: write,
      produces: ['share_link'],
      run: async ({ password, expires_at, ...target }, caller) => {
        const project_id = projectOf(target.target_type, target.target_id, caller);
        if (store.projects.roleOf(project_id, caller.user) === 'viewer') {
          throw new ProblemError('forbidden', 'Viewers of a project share nothing from it.');
        }
        const ttlSeconds = Math.floor((Date.parse(expires_at) - caller.at.getTime()) / 1000);
        if (ttlSeconds <= 0 || ttlSeconds > MOST_DAYS * 86_400) {
          return invalid('/expires_at', 'A link ends in the future, within a year.');
        }
        const password_hash = await hashPassword(password);
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
        return { ...link, token: secret.reveal() };
      },
    }),

    declare(shop, {
      name: 'share.link.validate',
      title: 'Open Share Link',
      description: 'Shows what a share link leads to, to whoever has its token and password.',
      input: z.object({
        token: z.string().max(200).describe('The token of the link'),
        password: z.string().max(200).default('').describe('The password of the link'),
      }),
      output: z.object({
        permission: Permission,
        target_type: TargetType,
        target: z.object({ id: z.string(), name: z.string(), items: z.array(z.unknown()) }),
      }),
      effect: reads('shared item', platform),
      scopes: ['shares:read'],
      run: async ({ token, password }, { at }) => {
        const link = await opened(token, password, at);
        const { organization_id: owner, target_type, target_id, permission } = link;
        if (target_type === 'item') {
          const item = foundItem(store, owner, target_id);
          const target = { id: item.id, name: item.name, items: [toStac(item)] };
          return { permission, target_type, target };
        }
        const { id, name } = foundCollection(store, owner, target_id);
        const slice = { limit: MOST_SHARED_ITEMS, offset: 0 };
        const items = store.items.list(owner, { collectionId: id }, slice).map(toStac);
        return { permission, target_type, target: { id, name, items } };
      },
    }),

    declare(shop, {
      name: 'share.link.revoke',
      title: 'Revoke Share Link',
      description: 'Ends a share link for good.',
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
