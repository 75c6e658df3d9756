/**
 * What the shop's declarations share: the reach of a call, and that every call is audited, reads
 * included, because no operation can skip that stage.
 */
import type { Facts } from 'plimsoll/server';

const trace = 'audit';

/** Answers from its arguments alone. */
export const pure = { reach: 'none', trace } as const satisfies Facts;

/** Data of the shop that is the same for everyone: sensors, processes, plans. */
export const platform = { reach: 'own-store', trace } as const satisfies Facts;

/** The caller's organisation: its projects, imagery, jobs, balance and inbox. */
export const account = { reach: 'own-account', trace } as const satisfies Facts;

/** The vendors' archives. */
export const vendor = { reach: 'vendor-data', trace } as const satisfies Facts;

/** The payment processor, vendors that take orders, anyone who has a link. */
export const outside = { reach: 'third-party', trace } as const satisfies Facts;

/** Every operation that moves money accepts a key and none requires one. */
export const paid = { ...outside, repeat: 'key-optional' } as const satisfies Facts;

/** No operation undoes it. */
export const final = { reversible: false } as const satisfies Facts;
