/** What a second equal call of a foreign tool does, as far as its schema and a believed hint tell. */
import type { Act } from '../act.ts';
import type { StampReading } from '../read-stamp.ts';
import type { RepeatSpelling } from '../repeat.ts';
import type { Parameters } from './read-parameters.ts';

const KEY =
  /^(?:x_)?(?:idempotency_?(?:key|token|id)|client_(?:request_)?token|client_order_id|client_reference_id|dedup(?:lication|e)?_(?:id|key|token)|message_deduplication_id|request_uuid)$/;
const VERSION =
  /^(?:etag|e_tag|if_match|if_unmodified_since|expected_(?:version|revision|etag|sha)|resource_version|revision(?:_id)?|rev|version_token|lock_version|base_(?:version|revision)|last_known_\w+|sha)$/;
const ALTERS: ReadonlySet<Act> = new Set<Act>([
  'update',
  'put',
  'set',
  'move',
  'delete',
  'archive',
]);

export function deriveRepeat(
  act: Act,
  { all }: Parameters,
  { hints }: StampReading,
  trusted: boolean,
): RepeatSpelling | undefined {
  if (act === 'read') return undefined;
  const key = all.find((one) => KEY.test(one.key));
  if (key !== undefined) return key.required ? 'key-required' : 'key-optional';
  const version = ALTERS.has(act) ? all.find((one) => VERSION.test(one.key)) : undefined;
  if (version !== undefined) return version.required ? 'version-required' : 'version-optional';
  const { idempotentHint } = hints;
  if (idempotentHint.state === 'claimed') {
    if (!idempotentHint.value) return 'fresh';
    if (trusted) return 'end-state';
  }
  // The act's own contract asks for a key; where none can be given a repeat pays again.
  return act === 'spend' || act === 'refund' ? 'fresh' : undefined;
}
