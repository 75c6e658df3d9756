/**
 * What the shop's declarations share: how far a call reaches, and that every call is audited, reads
 * included, because no operation may leave out that stage.
 */
import type { Facts } from 'plimsoll/server';

const trace = 'audit';

/** Answers from its arguments alone. */
export const pure = { reach: 'none', trace } as const satisfies Facts;

/** What the shop keeps itself and shows to everyone alike: sensors, processes, plans. */
export const platform = { reach: 'own-store', trace } as const satisfies Facts;

/** The caller's organisation: its projects, imagery, jobs, balance and inbox. */
export const account = { reach: 'own-account', trace } as const satisfies Facts;

/** Archives that vendors keep. */
export const vendor = { reach: 'vendor-data', trace } as const satisfies Facts;

/** The payment processor, vendors who take orders, whoever holds a link. */
export const outside = { reach: 'third-party', trace } as const satisfies Facts;

/** Every money route honours a key and none insists on one. */
export const paid = { ...outside, repeat: 'key-optional' } as const satisfies Facts;

/** No operation takes it back. */
export const final = { reversible: false } as const satisfies Facts;
