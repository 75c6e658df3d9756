/** The facts that the effects of these operations share: everything stays within the merchant's account. */
import { spends } from 'plimsoll/server';

export const UNIT = 'USD cents';

export const account = { reach: 'own-account' } as const;
export const keyed = { ...account, repeat: 'key-optional' } as const;
export const mustKey = { ...account, repeat: 'key-required' } as const;
/** A repeat changes nothing and answers the same, with a key or without. */
export const settled = { ...account, repeat: ['same', 'key-optional'] } as const;
/** To an address that the merchant gave, anew on every call. */
export const outward = { reach: 'user-url', repeat: 'fresh' } as const;

/** A charge that a refund undoes, or a refund and a cancellation where it starts a subscription. */
export const charges = spends(UNIT, { ...mustKey, reversible: true });
