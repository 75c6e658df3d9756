/**
 * Second step, price, where money may move: learns what a call would cost from the operation that estimates
 * it, before a person is asked or a budget is drawn on; and what is there now, where a card shows the difference. Only a
 * tool that changes nothing is called for this.
 * Where a budget counts money and nobody can tell how much a call takes, a person decides.
 */
import { someTier, worstTier } from '../../effect/effect.ts';
import { findEstimate } from '../../effect/infer/find-estimate.ts';
import { toKey } from '../../effect/infer/read-parameters.ts';
import { propertiesOf } from '../../effect/schema.ts';
import { TIERS } from '../../effect/tier.ts';
import { toProblem } from '../../lib/problem.ts';
import { RawNumber } from '../../lib/strict-json.ts';
import type { Price } from '../approvals/card.ts';
import type { Frame, JsonObject } from '../protocol/frame.ts';
import { isObject } from '../protocol/read-frame.ts';
import { decide } from '../policy/decide.ts';
import type { ServerTools } from '../tools/server-tools.ts';
import { toChange } from './find-before.ts';
import type { GateCall } from './read-call.ts';
import { toFacts } from './read-call.ts';
import { readPrice, toMoney } from './read-price.ts';
import type { Purpose, RunningCall } from './running-call.ts';

/** The call that tells the price. */
export interface Estimate {
  readonly tool: string;
  readonly args: JsonObject;
}

const ANSWER_MS = 5000;

/**
 * Estimates, and reads what would be replaced where the policy wants that shown. Both are calls like any other:
 * decided on, recorded, and never sent where a person must be asked.
 */
export function priceCall(call: RunningCall): () => void {
  const { estimate, before, call: read } = call;
  if (read === undefined || (estimate === undefined && before === undefined)) {
    call.on({ kind: 'priced' });
    return () => {};
  }
  const estimating = request(call, 'estimate', estimate);
  const reading = request(call, 'before', before);
  call.later(Promise.all([estimating.answer, reading.answer]), ([told, seen]) => {
    // An estimate that fails this time does not take away the price that was known before.
    call.price = (told && estimate && toPrice(read, estimate, told)) ?? call.price;
    call.change = seen && before && toChange(read, before, seen);
    if (call.weighed?.kind === 'allow' && isUnpriced(call)) return askUnpriced(call);
    return call.on({ kind: 'priced' });
  });
  return () => {
    estimating.stop();
    reading.stop();
  };
}

interface OwnRequest {
  readonly answer: Promise<Frame | undefined>;
  readonly stop: () => void;
}

function request(
  { frame, host }: RunningCall,
  purpose: Purpose,
  wanted: Estimate | undefined,
): OwnRequest {
  if (wanted === undefined) return { answer: Promise.resolve(undefined), stop: () => {} };
  const params = { name: wanted.tool, arguments: wanted.args };
  const { promise, resolve } = Promise.withResolvers<Frame | undefined>();
  const cancel = host.open(host.requests.toRequest(frame, 'tools/call', params), purpose, resolve);
  const timer = setTimeout(cancel, ANSWER_MS);
  const stop = (): void => {
    clearTimeout(timer);
    cancel();
  };
  return { answer: promise.finally(() => clearTimeout(timer)), stop };
}

/** Whether a budget would have to count money that nobody has named, in its own unit. */
export function isUnpriced({ call, permit, price }: RunningCall): boolean {
  if (call === undefined || !spends(call)) return false;
  const budgets = permit?.terms.budgets ?? [];
  return budgets.some(
    ({ counts, unit }) => counts === 'money' && toMoney(price, unit) === undefined,
  );
}

/** Instead of letting the call run as the policy would. */
export function askUnpriced(call: RunningCall): void {
  const { call: read, weighed, host } = call;
  if (read === undefined || weighed === undefined) return;
  const { server, services } = host.context;
  const facts = { ...toFacts(read, server, false), unpriced: true };
  const verdict = decide(services.policy, facts);
  call.rule = verdict.rule;
  if (verdict.kind === 'deny') {
    return call.refuse(verdict.rule, toProblem(verdict.code, verdict.detail));
  }
  call.permit = undefined;
  if (verdict.kind === 'ask') call.weighed = { kind: 'ask', verdict, intent: weighed.intent };
  return call.on({ kind: 'must-ask', priced: false });
}

function spends({ effect }: GateCall): boolean {
  return someTier(effect, ({ retries }) => retries === 'same-key');
}

/** `undefined` where nothing costs, or nothing tells how much. */
export function toEstimate(call: GateCall, tools: ServerTools): Estimate | undefined {
  if (!spends(call)) return undefined;
  const { money } = call.effect;
  const name = money?.estimate ?? findEstimate(tools.definitions, call.tool.definition);
  const tool = name === undefined ? undefined : tools.find(name);
  if (tool === undefined || tool.isQuarantined) return undefined;
  if (!TIERS[worstTier(tool.inferred.effect)].readsOnly) return undefined;
  const args = fittingArguments(call.args, tool.definition['inputSchema']);
  const left = Object.entries(call.args).filter(([key]) => !Object.hasOwn(args, key));
  // Whoever is not told how many are wanted tells the price of one.
  if (left.some(([key, value]) => mayMultiply(key, value))) return undefined;
  return { tool: tool.name, args };
}

const COUNTS = /^(?:quantity|qty|count|amount|units|number|num)(?:_|$)|_count$/;
const NO_COUNT =
  /^(?:max|min|limit|budget|timeout|ttl|priority|version|retr(?:y|ies)|seed|tags?|labels?|metadata)(?:_|$)|(?:^|_)ids?$|^expected_(?:price|cost|total|credits)$/;

function mayMultiply(name: string, value: unknown): boolean {
  const key = toKey(name);
  if (NO_COUNT.test(key)) return false;
  if (value instanceof RawNumber) return true;
  if (typeof value === 'number') return value !== 0 && value !== 1;
  if (typeof value === 'string') return COUNTS.test(key) && Number(value) > 1;
  if (Array.isArray(value)) return value.length > 1 || value.some((one) => mayMultiply(name, one));
  if (!isObject(value)) return false;
  return Object.entries(value).some(([inner, one]) => mayMultiply(inner, one));
}

/** The price in the answer of an estimate, if there is one. */
function toPrice(call: GateCall, { tool }: Estimate, answer: Frame): Price | undefined {
  const { result } = answer.message;
  return isObject(result) ? readPrice(result, tool, call.effect.money?.unit) : undefined;
}

/** Those of the call's arguments that the estimate takes too. */
function fittingArguments(args: JsonObject, schema: unknown): JsonObject {
  if (!isObject(schema)) return {};
  const known = propertiesOf(schema);
  const takesAny = Object.keys(known).length === 0 && schema['additionalProperties'] !== false;
  if (takesAny) return args;
  return Object.fromEntries(Object.entries(args).filter(([name]) => Object.hasOwn(known, name)));
}
