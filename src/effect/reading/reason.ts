/** Why a tool was read the way it was: one observation a reason, as data. */

/** Where an observation comes from, weakest first. */
export type ReasonSource =
  | 'name'
  | 'title'
  | 'description'
  | 'schema'
  | 'annotations'
  | 'meta'
  | 'evidence'
  | 'pin';

export type ReasonCode =
  | 'verb'
  | 'open-ended'
  | 'object'
  | 'noun-only'
  | 'phrase'
  | 'parameter'
  | 'choice'
  | 'runs-code'
  | 'replaces-content'
  | 'instructs-the-model'
  | 'unreadable'
  | 'declared'
  | 'claim-raises'
  | 'claim-not-believed'
  | 'claim-lowers'
  | 'observed'
  | 'pinned';

export interface Reason {
  readonly code: ReasonCode;
  readonly source: ReasonSource;
  /** One sentence for people. Words of the tool stand in it only in quotes, and short. */
  readonly text: string;
}
