/** To which era a client's message belongs; only a request of 2026 says its revision. */
import type { RpcMessage } from '../frame.ts';
import { isObject } from '../read-frame.ts';
import { META } from './protocol.ts';

export type Era = 'modern' | 'legacy';

export function eraOf({ params }: RpcMessage): Era {
  const meta = params?.['_meta'];
  return isObject(meta) && Object.hasOwn(meta, META.version) ? 'modern' : 'legacy';
}
