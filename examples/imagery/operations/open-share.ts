/** Opens a share link for whoever has its token, signed in or not. */
import { ProblemError } from 'plimsoll/server';
import type { Item } from '../item.ts';
import type { RateRule } from '../rate-limit.ts';
import { hashToken, isPassword } from '../secret-hash.ts';
import type { ShareLink } from '../store/share-links.ts';
import type { Shop } from './declare.ts';
import { foundCollection, foundItem } from './refuse.ts';

export interface OpenedLink {
  readonly kind: 'opened';
  readonly link: ShareLink;
  readonly id: string;
  readonly name: string;
  readonly items: readonly Item[];
}

/** `locked`: the link has a password, and it is missing or wrong. */
export type ShareOpening =
  | OpenedLink
  | { readonly kind: 'locked' }
  | { readonly kind: 'gone'; readonly detail: string };

/** Per token, whoever guesses. */
const GUESSES: RateRule = Object.freeze({ name: 'guesses', burst: 10, perMinute: 10 });
const MOST_SHARED_ITEMS = 500;

export async function openShare(
  { store, limiter, now }: Shop,
  token: string,
  password: string | undefined,
): Promise<ShareOpening> {
  const hash = hashToken(token);
  const locked = store.shareLinks.findByToken(hash);
  const { link, passwordHash = null } = locked ?? {};
  if (link === undefined || link.revoked_at !== null || link.expires_at <= now().toISOString()) {
    refuseGuessing(limiter.take(hash, GUESSES));
    return { kind: 'gone', detail: 'There is no such link, or it has expired or been revoked.' };
  }
  if (passwordHash !== null) {
    refuseGuessing(limiter.take(hash, GUESSES));
    if (password === undefined || !(await isPassword(password, passwordHash))) {
      return { kind: 'locked' };
    }
  }
  const { organization_id: owner, target_type, target_id } = link;
  if (target_type === 'item') {
    const item = foundItem(store, owner, target_id);
    return { kind: 'opened', link, id: item.id, name: item.name, items: [item] };
  }
  const { id, name } = foundCollection(store, owner, target_id);
  const slice = { limit: MOST_SHARED_ITEMS, offset: 0 };
  const items = store.items.list(owner, { collectionId: id }, slice);
  return { kind: 'opened', link, id, name, items };
}

function refuseGuessing(retryAfter: number | undefined): void {
  if (retryAfter === undefined) return;
  throw new ProblemError('rate-limited', 'Too many attempts to open this link.', { retryAfter });
}
