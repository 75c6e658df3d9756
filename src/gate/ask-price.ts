/**
 * Learns what a call would cost from the operation that estimates it, before a person is asked. Only a
 * tool that looks and changes nothing is called for this, and no price is better than a guessed one.
 */
import { worstTier } from '../effect/effect.ts';
import { findEstimate } from '../effect/reading/find-estimate.ts';
import { propertiesOf } from '../effect/schema.ts';
import { TIERS } from '../effect/tier.ts';
import type { Price } from './approve/card.ts';
import type { CallPort, GateCall, KnownTool } from './gate-call.ts';
import { readPrice } from './read-price.ts';
import type { JsonObject } from './wire/frame.ts';
import { isObject } from './wire/read-frame.ts';

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
  if (!TIERS[worstTier(tool.reading.effect)].looksOnly) return undefined;
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
