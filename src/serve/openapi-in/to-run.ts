/** What a projected operation does when it is called: one request to the API. */
import { isInputRequiredResult } from '@modelcontextprotocol/server';
import type { Call, Reply } from '../../effect/operation.ts';
import { reply } from '../../effect/operation.ts';
import { buildRequest } from './build-request.ts';
import { asObject, member } from './json.ts';
import type { RequestPlan } from './request-plan.ts';
import { send } from './send.ts';
import type { Upstream } from './upstream.ts';
import { UpstreamError } from './upstream.ts';

/** The key that the kit has claimed for the call, where it claims one. */
type KeyedCall = Call & { readonly key?: string | undefined };

interface Traits {
  readonly looksOnly: boolean;
  readonly holdsSecrets: boolean;
}

export function toRun(
  plan: RequestPlan,
  upstream: Upstream,
  { looksOnly, holdsSecrets }: Traits,
): (input: unknown, call: Call) => Promise<unknown> {
  return async (input, call) => {
    const { key }: KeyedCall = call;
    const headers =
      typeof upstream.headers === 'function' ? await upstream.headers(call) : upstream.headers;
    const { baseUrl } = upstream;
    const request = buildRequest(plan, asObject(input) ?? {}, { baseUrl, headers, key });
    const value = await send(request, upstream, call.signal, looksOnly);
    return isKitAnswer(value) ? toPlainAnswer(value, upstream, holdsSecrets) : value;
  };
}

/** Data that happens to look like an answer of the kit's own, and would be taken for one. */
function isKitAnswer(value: unknown): boolean {
  return member(value, 'kind') === 'reply' || isInputRequiredResult(value);
}

/** As content, where nothing can be sealed any more. */
function toPlainAnswer(value: unknown, { title }: Upstream, holdsSecrets: boolean): Reply {
  if (holdsSecrets) throw new UpstreamError(`${title} answered in the shape of an answer of ours`);
  return reply([{ type: 'text', text: JSON.stringify(value) }], value);
}
