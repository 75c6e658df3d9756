/** What a projected operation does when it is called: one request to the API. */
import { isInputRequiredResult } from '@modelcontextprotocol/server';
import type { Call } from '../../effect/operation.ts';
import { reply } from '../../effect/operation.ts';
import { buildRequest } from './build-request.ts';
import { asObject, member } from './json.ts';
import type { RequestPlan } from './request-plan.ts';
import { send } from './send.ts';
import type { Upstream } from './upstream.ts';

export function toRun(
  plan: RequestPlan,
  upstream: Upstream,
  looksOnly: boolean,
): (input: unknown, call: Call) => Promise<unknown> {
  return async (input, call) => {
    const { baseUrl, headers: given } = upstream;
    const headers = typeof given === 'function' ? await given(call) : given;
    const request = buildRequest(plan, asObject(input) ?? {}, { baseUrl, headers, key: call.key });
    const value = await send(request, upstream, call.signal, {
      looksOnly,
      keyed: call.key !== undefined,
    });
    return isLikeOurs(value)
      ? reply([{ type: 'text', text: JSON.stringify(value) }], value)
      : value;
  };
}

/** Data that happens to look like an answer of the kit's own, and would be taken for one. */
function isLikeOurs(value: unknown): boolean {
  return member(value, 'kind') === 'reply' || isInputRequiredResult(value);
}
