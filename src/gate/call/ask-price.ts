/**
 * Learns what a call would cost from the operation that estimates it, before a person is asked. Only a
 * tool that looks and changes nothing is called for this, and no price is better than a guessed one.
 */
import { worstTier } from '../../effect/effect.ts';
import { findEstimate } from '../../effect/infer/find-estimate.ts';
import { propertiesOf } from '../../effect/schema.ts';
import { TIERS } from '../../effect/tier.ts';
import type { Price } from '../approvals/card.ts';
import type { JsonObject } from '../protocol/frame.ts';
import { isObject } from '../protocol/read-frame.ts';
import type { CallPort, GateCall, KnownTool } from './gate-call.ts';

/** The other tools of the same server. */
export interface SiblingTools {
  readonly definitions: readonly JsonObject[];
  find(name: string): KnownTool | undefined;
}

const PATIENCE_MS = 5000;

export async function askPrice(
  call: GateCall,
  port: CallPort,
  tools: SiblingTools,
): Promise<Price | undefined> {
  if (TIERS[call.effect.tier].retries !== 'same-key') return undefined;
  const { money } = call.effect;
  const estimate = money?.estimate ?? findEstimate(tools.definitions, call.tool.definition);
  const tool = estimate === undefined ? undefined : tools.find(estimate);
  if (estimate === undefined || tool === undefined || tool.isQuarantined) return undefined;
  if (!TIERS[worstTier(tool.inferred.effect)].readsOnly) return undefined;
  const args = fittingArguments(call.args, tool.definition['inputSchema']);
  const asked = port.request('tools/call', { name: estimate, arguments: args });
  const delivery = await Promise.race([asked, patience()]);
  if (delivery === undefined || delivery.kind === 'failure') return undefined;
  const { result } = delivery.frame.message;
  return isObject(result) ? readPrice(result, estimate, money?.unit) : undefined;
}

/** In whole units, rounded up: a budget must not be passed by parts of one. */
export function toMoney(price: Price | undefined): { readonly money?: number } {
  const amount = Number(price?.amount ?? Number.NaN);
  return Number.isFinite(amount) && amount >= 0 ? { money: Math.ceil(amount) } : {};
}

/** Those of the call's arguments that the estimate takes too. */
function fittingArguments(args: JsonObject, schema: unknown): JsonObject {
  if (!isObject(schema)) return {};
  const known = propertiesOf(schema);
  return Object.fromEntries(Object.entries(args).filter(([name]) => Object.hasOwn(known, name)));
}

function patience(): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), PATIENCE_MS).unref();
  });
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
