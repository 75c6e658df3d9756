/** Whose result of which call it is that may be kept. */
import type { GateCall } from './gate-call.ts';
import type { GateContext } from '../gate-services.ts';
import type { CacheKey } from './read-cache.ts';
import { digestArguments } from '../approvals/binding.ts';

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
