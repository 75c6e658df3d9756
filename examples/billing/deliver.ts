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

/** Endpoints do not wait for one another, and each gets its events in order. */
export async function deliverDue(postman: Postman): Promise<void> {
  const { store, now } = postman;
  store.deliveries.endInterrupted(now());
  const due = Map.groupBy(store.deliveries.due(now()), ({ endpoint_id }) => endpoint_id);
  const rounds = [...due].map(([endpointId, deliveries]) =>
    deliverTo(postman, endpointId, deliveries),
  );
  await Promise.all(rounds);
}

async function deliverTo(
  postman: Postman,
  endpointId: string,
  deliveries: readonly Delivery[],
): Promise<void> {
  const { store, now } = postman;
  const account = accountOf(store, endpointId);
  if (account === undefined) return;
  for (const delivery of deliveries) {
    // Of several processes that work on one store, one sends it.
    if (!store.deliveries.claim(delivery, now())) continue;
    // A receiver that does not answer is asked once in a round.
    if ((await deliver(postman, account, delivery)).status === 'pending') return;
  }
}

function accountOf(store: Store, endpointId: string): string | undefined {
  return store
    .accounts()
    .find(({ id }) => store.objects.find(id, 'webhook_endpoint', endpointId, true) !== undefined)
    ?.id;
}
