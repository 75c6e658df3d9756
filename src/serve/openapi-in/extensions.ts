/** The `x-` members of an operation that the kit understands. A wrong one is refused: it may guard. */
import { META_KEYS } from '../../effect/meta-keys.ts';
import { Refused } from './finding.ts';
import { isTextList, member } from './json.ts';
import type { OverlayEntry } from './overlay.ts';
import type { Endpoint } from './endpoints.ts';

export interface Extensions {
  readonly scopes: readonly string[];
  readonly produces: readonly string[];
  readonly estimate: string | undefined;
}

const ESTIMATE = 'x-estimate';

export function readExtensions({ operation }: Endpoint, overlay: OverlayEntry): Extensions {
  const scope = overlay.scope ?? member(operation, META_KEYS.requiredScope.key);
  const produces = overlay.produces ?? member(operation, META_KEYS.produces.key);
  const estimate = overlay.estimate ?? member(operation, ESTIMATE);
  return {
    scopes: toTexts(scope, META_KEYS.requiredScope.key),
    produces: toTexts(produces, META_KEYS.produces.key),
    estimate: toTexts(estimate, ESTIMATE)[0],
  };
}

/** A list, or a text in which spaces separate. */
function toTexts(said: unknown, key: string): readonly string[] {
  if (said === undefined) return [];
  if (typeof said === 'string') return said.split(/\s+/).filter((part) => part !== '');
  if (isTextList(said)) return said;
  throw new Refused('extension-invalid', `${key} must be a text or a list of texts; mend it.`);
}
