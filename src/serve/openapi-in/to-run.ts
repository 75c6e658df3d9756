/**
 * What a projected operation does when it is called: one request to the API. After a mutation its answer
 * is given even when it breaks the document, since only the answer names what was made.
 */
import { isInputRequiredResult } from '@modelcontextprotocol/server';
import { CALL_META_KEYS } from '../../effect/meta-keys.ts';
import type { Call, Reply } from '../../effect/operation.ts';
import { reply } from '../../effect/operation.ts';
import type { Schema } from '../../effect/schema.ts';
import { toInputErrors } from '../../invoke/validate-input.ts';
import { buildRequest } from './build-request.ts';
import { asObject, member } from './reference.ts';
import type { RequestPlan, Upstream } from './request-plan.ts';
import { send } from './send.ts';

interface Projected {
  readonly name: string;
  readonly plan: RequestPlan;
  readonly upstream: Upstream;
  readonly readsOnly: boolean;
  readonly output: Schema | undefined;
}

export function toRun({
  name,
  plan,
  upstream,
  readsOnly,
  output,
}: Projected): (input: unknown, call: Call) => Promise<unknown> {
  return async (input, call) => {
    const { baseUrl, headers: given, title } = upstream;
    const headers = typeof given === 'function' ? await given(call) : given;
    const request = buildRequest(plan, asObject(input) ?? {}, { baseUrl, headers, key: call.key });
    const keyed = call.key !== undefined;
    const answered = await send(request, upstream, call.signal, { readsOnly, keyed });
    if (answered.kind === 'unreadable') {
      return toMismatch(`${name} was done, but ${title} ${answered.how}.`, answered.text);
    }
    const { value } = answered;
    const fault = readsOnly || output === undefined ? undefined : await findFault(output, value);
    if (fault !== undefined) {
      const sentence = `${name} was done, but the answer of ${title} does not match its documentation (${fault}).`;
      return toMismatch(sentence, value === undefined ? undefined : toShown(value));
    }
    return isLikeOurs(value) ? reply([{ type: 'text', text: toShown(value) }], value) : value;
  };
}

/** Accepts a reply without a value, which is how a mismatch is given. */
export function allowMismatch(output: Schema): Schema {
  const { validate, ...standard } = output['~standard'];
  return {
    '~standard': {
      ...standard,
      validate: (value) => (value === undefined ? { value } : validate(value)),
    },
  };
}

/** As content: where a tool declares its output, clients reject structured content that breaks it. */
function toMismatch(sentence: string, answer: string | undefined): Reply {
  const _meta = { [CALL_META_KEYS.mismatch.key]: true };
  const advice = 'Do not send the call again';
  const note = `${sentence} ${advice}${answer === undefined ? '.' : '; the answer follows as it came.'}`;
  const texts = answer === undefined ? [note] : [note, answer];
  return reply(texts.map((text) => ({ type: 'text', text, _meta })));
}

async function findFault(output: Schema, value: unknown): Promise<string | undefined> {
  const { issues } = await output['~standard'].validate(value);
  if (issues === undefined) return undefined;
  const [first] = toInputErrors(issues);
  if (first === undefined) return 'it cannot be checked';
  return first.detail.replace(/\.$/, '');
}

function toShown(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Data that looks like one of the kit's own answers, and would be taken for one. */
function isLikeOurs(value: unknown): boolean {
  return member(value, 'kind') === 'reply' || isInputRequiredResult(value);
}
