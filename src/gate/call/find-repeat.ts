/**
 * Looks whether an equal call that costs was made a short while ago: under way, of unknown outcome,
 * done but never heard of by its caller, or simply done.
 */
import { createHash } from 'node:crypto';
import { TIERS } from '../../effect/tier.ts';
import { toKeyRecord } from '../../ledger/idempotency/key-record.ts';
import type { KeyRecord } from '../../ledger/idempotency/key-record.ts';
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import type { Problem } from '../../lib/problem.ts';
import { toProblem } from '../../lib/problem.ts';
import type { GateCall } from './gate-call.ts';
import type { GateContext } from '../gate-services.ts';
import { readOwnState } from './own-state.ts';
import { readCallerKey } from './read-caller-key.ts';

type Repeat =
  | { readonly kind: 'new' }
  | { readonly kind: 'repeated' }
  | { readonly kind: 'replay'; readonly result: JsonValue }
  | { readonly kind: 'open'; readonly problem: Problem };

const NEW: Repeat = Object.freeze({ kind: 'new' });
const MINUTE = 60_000;

/** Key records whose caller left before the answer came, so that the next equal call hears it. */
const UNHEARD = 'unheard';

export async function findRepeat(call: GateCall, context: GateContext): Promise<Repeat> {
  const { policy, ledger, sealKey, now } = context.services;
  const { caller, tool, frame, args, effect } = call;
  if (TIERS[effect.tier].retries !== 'same-key' || policy.duplicateMinutes === 0) return NEW;
  const { _meta } = frame.message.params ?? {};
  const key = readCallerKey({ arguments: args, _meta, headers: caller.headers }, tool.slot);
  // Who brings a key says which calls are one; who goes on with a call repeats nothing.
  if (key.kind !== 'none' || readOwnState(call, sealKey, now())) return NEW;
  const rows = await ledger.store.transaction(async (tx) =>
    tx.list('key_records', {
      where: { fingerprint: fingerprintOf(call, context) },
      above: { column: 'created_at', value: (await tx.now()) - policy.duplicateMinutes * MINUTE },
      orderBy: 'created_at',
      descending: true,
      limit: 1,
    }),
  );
  return rows[0] === undefined ? NEW : toRepeat(toKeyRecord(rows[0]));
}

/** Names the intention: the same caller, server, tool and arguments. */
export function fingerprintOf(
  { tool, args, caller: { principal } }: GateCall,
  { server }: GateContext,
): string {
  const intention = [principal.tenant ?? '', principal.id, server.name, tool.name, args] as const;
  return createHash('sha256').update(toCanonicalJson(intention)).digest('hex');
}

export function toUnheard(outcome: JsonValue): string {
  return JSON.stringify({ [UNHEARD]: true, result: outcome });
}

function toRepeat(keyRecord: KeyRecord): Repeat {
  switch (keyRecord.state) {
    case 'CLAIMED':
    case 'DISPATCHED': {
      const detail = 'An equal call is under way.';
      return { kind: 'open', problem: toProblem('in-flight', detail, { retryAfter: 2 }) };
    }
    case 'UNKNOWN': {
      const detail = 'An equal call was made a short while ago and may have happened.';
      return { kind: 'open', problem: toProblem('outcome-unknown', detail) };
    }
    case 'SUCCEEDED': {
      const kept = JSON.parse(keyRecord.outcome) as Readonly<Record<string, JsonValue>>; // ours
      const { result } = kept;
      if (kept[UNHEARD] === true && result !== undefined) return { kind: 'replay', result };
      return { kind: 'repeated' };
    }
    case 'FAILED_FINAL':
    case 'TOMBSTONE':
      return NEW;
  }
}
