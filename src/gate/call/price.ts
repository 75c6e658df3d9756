/**
 * Second step, price, where money may move: learns what a call would cost from the operation that estimates it, before a person is asked or a
 * budget is drawn on. Only a tool that changes nothing is called for this, and no price is better than
 * a guessed one.
 */
import { someTier, worstTier } from '../../effect/effect.ts';
import { findEstimate } from '../../effect/infer/find-estimate.ts';
import { propertiesOf } from '../../effect/schema.ts';
import { TIERS } from '../../effect/tier.ts';
import type { Price } from '../approvals/card.ts';
import type { Frame, JsonObject } from '../protocol/frame.ts';
import { isObject } from '../protocol/read-frame.ts';
import type { ServerTools } from '../tools/server-tools.ts';
import type { GateCall } from './read-call.ts';
import type { RunningCall } from './running-call.ts';

/** The call that tells the price. */
export interface Estimate {
  readonly tool: string;
  readonly args: JsonObject;
}

const ESTIMATE_MS = 5000;

/** The estimate is a call like any other: decided on, recorded, and never sent where a person must be asked. */
export function priceCall(call: RunningCall): () => void {
  const { estimate, call: read, host } = call;
  if (read === undefined || estimate === undefined) {
    call.on({ kind: 'priced' });
    return () => {};
  }
  const params = { name: estimate.tool, arguments: estimate.args };
  const frame = host.requests.toRequest(call.frame, 'tools/call', params);
  const { promise, resolve } = Promise.withResolvers<Frame | undefined>();
  const cancel = host.open(frame, 'estimate', resolve);
  const timer = setTimeout(cancel, ESTIMATE_MS);
  call.later(promise, (answer) => {
    clearTimeout(timer);
    // An estimate that fails this time does not take away the price that was known before.
    call.price = (answer && toPrice(read, estimate, answer)) ?? call.price;
    call.on({ kind: 'priced' });
  });
  return () => {
    clearTimeout(timer);
    cancel();
  };
}

/** `undefined` where nothing costs, or nothing tells how much. */
export function toEstimate(call: GateCall, tools: ServerTools): Estimate | undefined {
  if (!someTier(call.effect, ({ retries }) => retries === 'same-key')) return undefined;
  const { money } = call.effect;
  const name = money?.estimate ?? findEstimate(tools.definitions, call.tool.definition);
  const tool = name === undefined ? undefined : tools.find(name);
  if (tool === undefined || tool.isQuarantined) return undefined;
  if (!TIERS[worstTier(tool.inferred.effect)].readsOnly) return undefined;
  return { tool: tool.name, args: fittingArguments(call.args, tool.definition['inputSchema']) };
}

/** The price in the answer of an estimate, if there is one. */
function toPrice(call: GateCall, { tool }: Estimate, answer: Frame): Price | undefined {
  const { result } = answer.message;
  return isObject(result) ? readPrice(result, tool, call.effect.money?.unit) : undefined;
}

/** In whole units, rounded up: a budget must not be passed by parts of one. */
export function toMoney(price: Price | undefined): number | undefined {
  const amount = Number(price?.amount ?? Number.NaN);
  return Number.isFinite(amount) && amount >= 0 ? Math.ceil(amount) : undefined;
}

/** Those of the call's arguments that the estimate takes too. */
function fittingArguments(args: JsonObject, schema: unknown): JsonObject {
  if (!isObject(schema)) return {};
  const known = propertiesOf(schema);
  return Object.fromEntries(Object.entries(args).filter(([name]) => Object.hasOwn(known, name)));
}

/** In the order in which they are believed. */
const AMOUNTS =
  /^(total|total_?(price|cost|amount)|grand_?total|price|cost|amount|estimated_?(cost|price|total)|estimate|credits|fee|charge)(_?(credits|cents|usd|eur|gbp))?$/i;
const UNITS = /^(currency|unit|units|currency_?code|asset)$/i;
const UNIT_IN_NAME = /(credits|cents|usd|eur|gbp)$/i;
const DEPTH = 4;

function readPrice(result: JsonObject, from: string, unit?: string): Price | undefined {
  if (result['isError'] === true) return undefined;
  const body = bodyOf(result);
  return body === undefined ? undefined : findPrice(body, from, unit, 0);
}

function bodyOf(result: JsonObject): JsonObject | undefined {
  const structured = result['structuredContent'];
  if (isObject(structured)) return structured;
  const content: unknown = result['content'];
  if (!Array.isArray(content)) return undefined;
  for (const block of content as readonly unknown[]) {
    if (!isObject(block) || typeof block['text'] !== 'string') continue;
    try {
      const value: unknown = JSON.parse(block['text']);
      if (isObject(value)) return value;
    } catch {
      // Prose; an amount picked out of it would be a guess.
    }
  }
  return undefined;
}

function findPrice(
  body: JsonObject,
  from: string,
  usual: string | undefined,
  depth: number,
): Price | undefined {
  for (const [name, value] of Object.entries(body)) {
    if (!AMOUNTS.test(name)) continue;
    if (typeof value !== 'number' && typeof value !== 'string') continue;
    const stated = Object.entries(body).flatMap(([key, text]) =>
      UNITS.test(key) && typeof text === 'string' ? [text] : [],
    );
    const unit = stated[0] ?? UNIT_IN_NAME.exec(name)?.[1]?.toLowerCase() ?? usual ?? '';
    return { amount: String(value), unit, from };
  }
  if (depth >= DEPTH) return undefined;
  for (const value of Object.values(body)) {
    const found = isObject(value) ? findPrice(value, from, usual, depth + 1) : undefined;
    if (found !== undefined) return found;
  }
  return undefined;
}
