/**
 * What Geopera's declarations share: how far a call reaches, and that every call is audited, reads
 * included, because no operation may leave out that stage.
 */
import type { Facts } from 'plimsoll';

const trace = 'audit';

/** Answers from its arguments alone. */
export const pure = { reach: 'none', trace } as const satisfies Facts;

/** What Geopera keeps itself and shows to everyone alike: glossaries, plans, sensors, licences. */
export const platform = { reach: 'own-store', trace } as const satisfies Facts;

/** The caller's organization: its projects, imagery, jobs, balance and inbox. */
export const account = { reach: 'own-account', trace } as const satisfies Facts;

/** Live catalogues and archives that others keep. */
export const vendor = { reach: 'vendor-data', trace } as const satisfies Facts;

/** Payment processors, vendors who take orders, object storage, whoever holds a link. */
export const outside = { reach: 'third-party', trace } as const satisfies Facts;

/** An address that the caller wrote. */
export const callerUrl = { reach: 'user-url', trace } as const satisfies Facts;

/** Every money route honours a key and none insists on one. */
export const paid = { ...outside, repeat: 'key-optional' } as const satisfies Facts;

/** No operation takes it back. */
export const final = { reversible: false } as const satisfies Facts;
