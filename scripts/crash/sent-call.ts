/** One call of the crash run of gates, as its client sees it: sent until its outcome is known. */
import { setTimeout as wait } from 'node:timers/promises';
import type { Disturbances } from './disturbances.ts';
import type { Answer, GateClient } from './gate-client.ts';

/**
 * - `done`: answered, perhaps from what was stored. `refused`: nothing was run for it.
 * - `unknown`: told that it may have happened.
 * - `unanswered`: a write that was cut off; without a key nobody may send it again.
 */
export type CallEnd = 'open' | 'done' | 'refused' | 'unknown' | 'unanswered' | 'stuck';

export interface SentCall {
  readonly tool: string;
  readonly args: Readonly<Record<string, string>> & { readonly item: string };
  /** What the client may do when it does not know: send it again, or leave it. */
  readonly kind: 'spend' | 'write' | 'read';
  readonly answers: Answer[];
  /** Requests that were sent and got no answer. */
  unheard: number;
  /** How long it took in the end, from when a gate was up. */
  settleMs: number;
  end: CallEnd;
}

export const KEYLESS = 'place_order';
/** Every call is settled within this long after a gate is up again. */
const SETTLE_MS = 20_000;
const PAUSE_MS = 100;

/** Without a key, and so never sent twice by anybody. */
export function newSpend(item: string): SentCall {
  const args = { item };
  return { kind: 'spend', tool: KEYLESS, args, answers: [], unheard: 0, settleMs: 0, end: 'open' };
}

/** What any careful client does: the same call again, until its outcome is known. */
export async function settle(
  call: SentCall,
  client: GateClient,
  disturbances: Disturbances,
): Promise<void> {
  let since = Date.now();
  while (call.end === 'open') {
    const life = await client.life();
    if (life === undefined) continue;
    // Nobody can settle anything while no gate is up, or it has no ledger.
    since = Math.max(since, life.upSince ?? 0, disturbances.calmSince);
    const left = since + SETTLE_MS - Date.now();
    if (left <= 0) {
      call.end = 'stuck';
      return;
    }
    const answer = await client.call(call.tool, call.args, left);
    if (answer !== undefined) {
      call.answers.push(answer);
      call.end = endOf(call, answer);
      if (call.end === 'open') await wait(PAUSE_MS);
      continue;
    }
    call.unheard += 1;
    if (call.kind === 'write') call.end = 'unanswered';
  }
  call.settleMs = Date.now() - since;
}

/** Nothing was run, or it can be sent again without harm. */
const AGAIN: ReadonlySet<string> = new Set(['in-flight', 'retry-same-key', 'unavailable']);

function endOf({ kind }: SentCall, { code }: Answer): CallEnd {
  if (code === 'success') return 'done';
  if (AGAIN.has(code)) return 'open';
  if (code === 'outcome-unknown') return 'unknown';
  // The next answer to the same call names the key record; what has none is left as it is.
  if (code === 'outcome-doubtful') return kind === 'spend' ? 'open' : 'unknown';
  if (code === 'server-stopped') return kind === 'write' ? 'unknown' : 'open';
  return 'refused';
}
