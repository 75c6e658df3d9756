/** What the operations on webhook endpoints share: making one, its secret, and what is refused. */
import { randomBytes } from 'node:crypto';
import { creates } from 'plimsoll/server';
import * as z from 'zod';
import type { WebhookEndpoint } from '../documents.ts';
import { EVENT_TYPES, wants } from '../events.ts';
import { refuseUrl } from '../outbound.ts';
import { invalid } from '../refusals.ts';
import type { Store } from '../store.ts';
import { isVersion, LATEST } from '../versions.ts';
import type { Caller, Shop } from './declare.ts';
import { keyed } from './facts.ts';
import { show } from './reply.ts';

export const withSecret = {
  ...keyed,
  secrets: ['signing_secret'],
  secretsReason: 'The endpoint and the secret that signs its deliveries are made together.',
} as const;

export const endpointWithSecret = z.looseObject({
  id: z.string(),
  object: z.string(),
  signing_secret: z.string(),
});
export const CREATES_ENDPOINT = creates('webhook endpoint', withSecret);

/** Joins the transaction that it is called in. */
export function addEndpoint(
  { store, outbound }: Shop,
  { account: owner, at }: Caller,
  wanted: Pick<WebhookEndpoint, 'url' | 'enabled_events' | 'description'> & {
    readonly api_version?: string | undefined;
  },
): string {
  refuseBadUrl(wanted.url, outbound);
  refuseUnknownEvents(wanted.enabled_events);
  const pinned = wanted.api_version ?? store.account(owner)?.api_version ?? LATEST;
  refuseUnknownVersion(pinned, 'api_version');
  return store.objects.add(owner, 'webhook_endpoint', at, {
    ...wanted,
    api_version: pinned,
    disabled: false,
    secret: newSecret(),
  }).id;
}

/** The secret is shown here and never again: a repeat under the same key gets a placeholder for it. */
export function revealed(store: Store, owner: string, endpointId: string): object {
  const endpoint = store.objects.get(owner, 'webhook_endpoint', endpointId);
  return { ...show(endpoint), signing_secret: endpoint.secret };
}

export function newSecret(): string {
  return `whsec_${randomBytes(24).toString('hex')}`;
}

export function refuseBadUrl(text: string, options: Shop['outbound']): void {
  const refusal = refuseUrl(text, options);
  if (refusal !== undefined) invalid('url', refusal, 'invalid_value');
}

export function refuseUnknownEvents(patterns: readonly string[]): void {
  const strange = patterns.find((pattern) => !EVENT_TYPES.some((type) => wants([pattern], type)));
  if (strange !== undefined) invalid('enabled_events', `"${strange}" matches no event.`);
}

export function refuseUnknownVersion(text: string, argument: string): void {
  if (!isVersion(text)) invalid(argument, `${text} is not a version.`, 'invalid_value');
}
