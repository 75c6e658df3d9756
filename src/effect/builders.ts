/** The builder of each act, for code that learns the act only when it runs. */
import type { Act } from './act.ts';
import type { SpendFacts } from './acts.ts';
import * as acts from './acts.ts';
import type { Effect } from './effect.ts';

export type Build = (object: string, facts?: SpendFacts) => Effect;

export const BUILDERS: Readonly<Record<Act, Build>> = Object.freeze({
  read: acts.reads,
  compute: acts.computes,
  create: acts.creates,
  append: acts.appends,
  update: acts.updates,
  put: acts.puts,
  set: acts.sets,
  move: acts.moves,
  archive: acts.archives,
  delete: acts.deletes,
  revoke: acts.revokes,
  cancel: acts.cancels,
  spend: acts.spends,
  refund: acts.refunds,
  share: acts.shares,
  deliver: acts.delivers,
  provision: acts.provisions,
});
