/** Who does something, for which organisation, and when. */

export interface Acting {
  readonly organisation: string;
  readonly user: string;
  readonly at: Date;
}

/** A slice of a list. */
export interface Slice {
  readonly limit: number;
  readonly offset: number;
}
