/** Webhook endpoints: where events go, the secret that signs them, and what became of deliveries. */
import type { Operation } from 'plimsoll/server';
import { deletes, delivers, reads, revokes, sets, updates } from 'plimsoll/server';
import * as z from 'zod';
import { deliver } from '../deliver.ts';
import type { WebhookEndpoint } from '../documents.ts';
import { addEvent, EVENT_TYPES, wants } from '../events.ts';
import { found, refuse } from '../refusals.ts';
import type { Caller, Shop } from './declare.ts';
import { declare } from './declare.ts';
import {
  addEndpoint,
  CREATES_ENDPOINT,
  endpointWithSecret,
  newSecret,
  refuseBadUrl,
  refuseUnknownEvents,
  refuseUnknownVersion,
  revealed,
  withSecret,
} from './endpoint.ts';
import { account, outward, settled } from './facts.ts';
import { given, page, show } from './reply.ts';
import { id, pageArguments, pageOf, thing, version } from './schemas.ts';

const url = z.string().max(2000).describe('An https address of yours on the internet');
const enabledEvents = z
  .array(z.string().max(60))
  .min(1)
  .max(50)
  .describe('Types of events, such as order.succeeded, order.* or *');
const description = z.string().max(500).optional().describe('A note of your own');

export function webhookOperations(shop: Shop): readonly Operation[] {
  const { store } = shop;
  const { objects } = store;
  const find = (owner: string, endpointId: string): WebhookEndpoint =>
    found(objects.find(owner, 'webhook_endpoint', endpointId), 'webhook endpoint', endpointId);
  const patch = (caller: Caller, endpointId: string, fields: Partial<WebhookEndpoint>) =>
    show(objects.update(caller.account, 'webhook_endpoint', endpointId, caller.at, fields));
  const moveVersion = (up: boolean) =>
    declare(shop, {
      name: up ? 'upgrade_webhook_version' : 'downgrade_webhook_version',
      title: up ? 'Upgrade webhook version' : 'Downgrade webhook version',
      description: up
        ? 'Pins an endpoint to a newer version of payloads; the receiver must understand it.'
        : 'Pins an endpoint to an older version of payloads.',
      input: z.object({ id: id('endpoint'), version }),
      output: thing,
      effect: sets('webhook version', account),
      run: (input, caller) =>
        store.atomically(() => {
          refuseUnknownVersion(input.version, 'version');
          const { api_version } = find(caller.account, input.id);
          const isWrongWay = up ? input.version < api_version : input.version > api_version;
          if (isWrongWay) {
            refuse('invalid_state_transition', `The endpoint is at ${api_version}.`);
          }
          return patch(caller, input.id, { api_version: input.version });
        }),
    });
  return [
    declare(shop, {
      name: 'create_webhook_endpoint',
      title: 'Create webhook endpoint',
      description:
        'Sends events to an address of yours from now on. The signing secret is shown only once, here.',
      input: z.object({
        url,
        enabled_events: enabledEvents,
        description,
        api_version: version.optional(),
      }),
      output: endpointWithSecret,
      effect: CREATES_ENDPOINT,
      run: (input, caller) => {
        const made = caller.once(() => addEndpoint(shop, caller, input));
        return revealed(store, caller.account, made);
      },
    }),
    declare(shop, {
      name: 'list_webhook_endpoints',
      title: 'List webhook endpoints',
      description: 'Lists the addresses that events go to, without their secrets.',
      input: z.object(pageArguments),
      output: pageOf,
      effect: reads('webhook endpoint', account),
      run: (query, caller) => {
        const cut = objects.list(caller.account, 'webhook_endpoint', query);
        return page('/v1/webhook_endpoints', cut, query, show);
      },
    }),
    declare(shop, {
      name: 'get_webhook_endpoint',
      title: 'Get webhook endpoint',
      description: 'Returns one webhook endpoint, without its secret.',
      input: z.object({ id: id('endpoint') }),
      output: thing,
      effect: reads('webhook endpoint', account),
      run: (input, caller) => show(find(caller.account, input.id)),
    }),
    declare(shop, {
      name: 'update_webhook_endpoint',
      title: 'Update webhook endpoint',
      description:
        'Changes the address, the events or the note of an endpoint, or stops it for a while.',
      input: z.object({
        id: id('endpoint'),
        url: url.optional(),
        enabled_events: enabledEvents.optional(),
        description,
        api_version: version.optional(),
        disabled: z
          .boolean()
          .optional()
          .describe('true: nothing is delivered until it is false again'),
      }),
      output: thing,
      effect: updates('webhook endpoint', settled),
      run: ({ id: endpointId, ...fields }, caller) =>
        caller.once(() => {
          find(caller.account, endpointId);
          if (fields.url !== undefined) refuseBadUrl(fields.url, shop.outbound);
          if (fields.enabled_events !== undefined) refuseUnknownEvents(fields.enabled_events);
          if (fields.api_version !== undefined) {
            refuseUnknownVersion(fields.api_version, 'api_version');
          }
          return patch(caller, endpointId, given(fields));
        }),
    }),
    declare(shop, {
      name: 'delete_webhook_endpoint',
      title: 'Delete webhook endpoint',
      description: 'Deletes an endpoint. Deliveries stop at once.',
      input: z.object({ id: id('endpoint') }),
      output: thing,
      effect: deletes('webhook endpoint', settled),
      run: (input, caller) =>
        caller.once(() => {
          const { account: owner, at } = caller;
          const known = objects.find(owner, 'webhook_endpoint', input.id, true);
          const endpoint = found(known, 'webhook endpoint', input.id);
          objects.remove(owner, 'webhook_endpoint', endpoint.id, at);
          store.deliveries.stopFor(endpoint.id);
          return show(objects.get(owner, 'webhook_endpoint', endpoint.id));
        }),
    }),
    declare(shop, {
      name: 'rotate_webhook_secret',
      title: 'Rotate webhook secret',
      description:
        'Replaces the signing secret of an endpoint; the old one signs nothing any more. The new one is shown only once, here.',
      input: z.object({ id: id('endpoint') }),
      output: endpointWithSecret,
      effect: revokes('webhook secret', {
        ...withSecret,
        secretsReason: 'The new secret comes in the same answer that ends the old one.',
      }),
      run: (input, caller) => {
        caller.once(() => {
          find(caller.account, input.id);
          patch(caller, input.id, { secret: newSecret() });
          return {};
        });
        return revealed(store, caller.account, input.id);
      },
    }),
    declare(shop, {
      name: 'test_webhook_endpoint',
      title: 'Test webhook endpoint',
      description: 'Posts a test event to the endpoint now and returns what came of it.',
      input: z.object({
        id: id('endpoint'),
        event_type: z.string().max(60).optional().describe('Type of the event; ping without it'),
        api_version: version.optional(),
      }),
      output: thing,
      effect: delivers('test event', outward),
      run: async (input, caller) => {
        const { account: owner, at } = caller;
        const endpoint = find(owner, input.id);
        if (input.api_version !== undefined) refuseUnknownVersion(input.api_version, 'api_version');
        const event = addEvent(store, owner, input.event_type ?? 'ping', { test: true }, at);
        const delivery = store.deliveries.add(endpoint.id, event.id, 'test', at);
        return deliver(shop, owner, delivery, input.api_version);
      },
    }),
    moveVersion(true),
    moveVersion(false),
    declare(shop, {
      name: 'replay_webhook_event',
      title: 'Replay webhook event',
      description: 'Posts a past event to an endpoint again, now. Each call is another delivery.',
      input: z.object({ endpoint_id: id('endpoint'), event_id: id('event') }),
      output: thing,
      effect: delivers('webhook event', outward),
      run: async ({ endpoint_id, event_id }, caller) => {
        const { account: owner, at } = caller;
        const endpoint = find(owner, endpoint_id);
        const event = found(objects.find(owner, 'event', event_id), 'event', event_id);
        const delivery = store.deliveries.add(endpoint.id, event.id, 'replay', at);
        return deliver(shop, owner, delivery);
      },
    }),
    declare(shop, {
      name: 'list_webhook_events',
      title: 'List webhook events',
      description: 'Lists the events that an endpoint gets, newest first.',
      input: z.object({
        id: id('endpoint'),
        limit: pageArguments.limit,
        starting_after: pageArguments.starting_after,
      }),
      output: pageOf,
      effect: reads('webhook event', account),
      run: ({ id: endpointId, ...query }, caller) => {
        const { enabled_events } = find(caller.account, endpointId);
        const oneOf = EVENT_TYPES.filter((type) => wants(enabled_events, type));
        const filters = [{ field: 'type', oneOf }];
        const cut = objects.list(caller.account, 'event', { ...query, filters });
        return page('/v1/webhook_events', cut, query, (one) => one);
      },
    }),
    declare(shop, {
      name: 'list_webhook_delivery_logs',
      title: 'List webhook delivery logs',
      description: 'Lists what was sent to an endpoint and what it answered, newest first.',
      input: z.object({
        id: id('endpoint'),
        limit: pageArguments.limit,
        starting_after: pageArguments.starting_after,
      }),
      output: pageOf,
      effect: reads('webhook delivery', account),
      run: ({ id: endpointId, ...query }, caller) => {
        find(caller.account, endpointId);
        const cut = store.deliveries.list(endpointId, query);
        return page('/v1/webhook_deliveries', cut, query, (one) => one);
      },
    }),
  ];
}
