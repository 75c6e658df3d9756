/** What became of one sending of a call: an answer, or the reason why there is none. */
import type { Failure } from '../wire/channel.ts';
import type { Frame } from '../wire/frame.ts';

export type Delivery =
  | { readonly kind: 'answer'; readonly frame: Frame }
  | { readonly kind: 'failure'; readonly failure: Failure };
