/** Whose result of which call it is that may be kept. */
import { digestArguments } from './approve/binding.ts';
import type { GateCall } from './gate-call.ts';
import type { GateContext } from './gate-services.ts';
import type { CacheKey } from './run/read-cache.ts';

export function toCacheKey(call: GateCall, { server }: GateContext): CacheKey {
  const { id, tenant = '' } = call.caller.principal;
  return {
    principal: id,
    tenant,
    server: server.name,
    definition: call.tool.hash,
    arguments: digestArguments(Buffer.from(call.argumentsText)),
  };
}
