/** Sends webhook deliveries: the payload in the endpoint's version, signed with its secret. */
import type { OutboundOptions } from './outbound.ts';
import { postOut } from './outbound.ts';
import { sign } from './signature.ts';
import type { Delivery } from './store/deliveries.ts';
import type { Store } from './store.ts';
import { toPayload } from './versions.ts';

export interface Postman {
  readonly store: Store;
  readonly outbound: OutboundOptions;
  readonly now: () => Date;
}

export async function deliver(
  { store, outbound, now }: Postman,
  account: string,
  delivery: Delivery,
  version?: string,
): Promise<Delivery> {
  const endpoint = store.objects.find(account, 'webhook_endpoint', delivery.endpoint_id);
  if (endpoint === undefined) {
    return store.deliveries.settle(delivery, now(), { error: 'the endpoint was deleted' });
  }
  const event = store.objects.get(account, 'event', delivery.event_id);
  const { id, type, created_at, data } = event;
  const environment = store.account(account)?.environment ?? 'test';
  const parts = { id, type, created_at, environment, data };
  const body = JSON.stringify(toPayload(parts, version ?? endpoint.api_version));
  const posted = await postOut(
    endpoint.url,
    body,
    {
      'content-type': 'application/json',
      'epd-signature': sign(endpoint.secret, body, now()),
      'epd-delivery': delivery.id,
    },
    outbound,
  );
  return store.deliveries.settle(delivery, now(), posted);
}

export async function deliverDue(postman: Postman): Promise<void> {
  const { store, now } = postman;
  for (const delivery of store.deliveries.due(now())) {
    if (delivery.reason !== 'event') continue;
    const account = accountOf(store, delivery.endpoint_id);
    if (account !== undefined) await deliver(postman, account, delivery);
  }
}

function accountOf(store: Store, endpointId: string): string | undefined {
  return store
    .accounts()
    .find(({ id }) => store.objects.find(id, 'webhook_endpoint', endpointId, true) !== undefined)
    ?.id;
}
