/**
 * A receipt as an event of OCSF 1.9.0, class API Activity. Only attributes whose meaning is certain
 * are filled; the rest of the receipt travels in `unmapped`, with what is needed to audit it.
 */
import { hash } from 'node:crypto';
import type { Change } from '../../effect/act.ts';
import { ACTS } from '../../effect/act.ts';
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import type { Receipt } from '../receipt.ts';
import type { FoundReceipt } from '../tables.ts';

const API_ACTIVITY = 6003;
const APPLICATION_ACTIVITY = 6;
const INFORMATIONAL = 1;
const SHA_256 = 3;

/** Create, Read, Update, Delete. */
const ACTIVITIES: Readonly<Record<Change, number>> = Object.freeze({
  adds: 1,
  nothing: 2,
  alters: 3,
  removes: 4,
});

const UNKNOWN_ACTIVITY = 0;

/** `origin` names the log, as in its checkpoints. */
export function toOcsf(row: FoundReceipt, origin: string): JsonValue {
  const receipt = JSON.parse(row.body) as Receipt; // written by us; the audit checks it
  const isUnknown = receipt.effect === 'unknown';
  const activity = isUnknown ? UNKNOWN_ACTIVITY : ACTIVITIES[ACTS[receipt.act].change];
  const status = STATUSES[statusOf(receipt)];
  const attestation = { uid: row.leaf, chain_uid: origin, authority_uid: origin };
  const event = {
    metadata: {
      version: '1.9.0',
      product: { name: 'Plimsoll', vendor_name: 'Plimsoll' },
      profiles: ['record_integrity'],
      uid: receipt.id,
      log_name: origin,
      sequence: row.seq,
    },
    category_uid: APPLICATION_ACTIVITY,
    class_uid: API_ACTIVITY,
    activity_id: activity,
    type_uid: API_ACTIVITY * 100 + activity,
    severity_id: INFORMATIONAL,
    time: Date.parse(receipt.at),
    duration: receipt.milliseconds,
    status_id: status.id,
    status: status.name,
    status_code: receipt.outcome,
    actor: { user: toUser(receipt) },
    api: { operation: receipt.operation, request: { uid: receipt.id } },
    src_endpoint: { name: receipt.via },
    attestation_list: [attestation],
    unmapped: { receipt: row.body, leaf: row.leaf },
  };
  const value = hash('sha256', toCanonicalJson(event), 'hex');
  const fingerprint = { algorithm: 'SHA-256', algorithm_id: SHA_256, value };
  return { ...event, attestation_list: [{ ...attestation, fingerprint }] };
}

const STATUSES = Object.freeze({
  unknown: { id: 0, name: 'Unknown' },
  success: { id: 1, name: 'Success' },
  failure: { id: 2, name: 'Failure' },
  // The standard has no word for it; 99 means that the name is our own.
  waiting: { id: 99, name: 'Waiting' },
});

function statusOf({ decision, outcome }: Receipt): keyof typeof STATUSES {
  if (decision === 'unknown' || outcome === 'unknown') return 'unknown';
  if (decision === 'waiting') return 'waiting';
  return outcome === 'success' ? 'success' : 'failure';
}

function toUser({ principal, tenant }: Receipt): Record<string, JsonValue> {
  return {
    ...(principal === undefined ? { name: 'anonymous' } : { uid: principal }),
    ...(tenant !== undefined && { org: { uid: tenant } }),
  };
}
