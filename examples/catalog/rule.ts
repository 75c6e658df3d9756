/** The types of the resolver: a rule as its owner wrote it. resolve.ts decides where it leads. */

/** Narrowest first: the order in which rules are tried. */
export const SCOPES = ['serial', 'batch', 'product', 'brand', 'organisation'] as const;

export type Scope = (typeof SCOPES)[number];

/** In the order of `Date.prototype.getUTCDay`. */
export const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const;

export type Day = (typeof DAYS)[number];

export interface Window {
  readonly from: string;
  readonly to: string;
}

/** All given conditions must be met, in UTC. */
export interface TimeCriteria {
  /** ISO instants; the start is inclusive, the end exclusive. Either end may be open. */
  readonly absolute?: { readonly from?: string; readonly until?: string };
  /** MM-DD, both inclusive; when `from` is later than `to` the window spans New Year. */
  readonly annual?: Window;
  readonly days?: readonly Day[];
  /** HH:MM, the start is inclusive, the end exclusive; when `from` is later it spans midnight. */
  readonly hours?: Window;
}

export type Destination =
  | { readonly type: 'HOSTED_PAGE' }
  | {
      readonly type: 'CUSTOM_URL';
      readonly url: string;
      /** What monitoring last saw. */
      readonly isDown: boolean;
      readonly whenDown: 'skip' | 'hosted';
    };

export interface Rule {
  readonly id: string;
  readonly scope: Scope;
  readonly orderIndex: number;
  /** The lot of a batch rule, the serial number of a serial rule; null in wider scopes. */
  readonly qualifier: string | null;
  /** Null matches every link type. */
  readonly linkType: string | null;
  readonly destination: Destination;
  readonly when: TimeCriteria;
}

/** A rule and the one thing it is bound to: exactly one of the three is not null, as `scope` says. */
export interface PlacedRule extends Rule {
  readonly organisationId: string | null;
  readonly brandId: string | null;
  readonly gtin14: string | null;
}
