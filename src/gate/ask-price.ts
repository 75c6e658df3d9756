/**
 * Learns what a call would cost from the operation that estimates it, before a person is asked. Only a
 * tool that looks and changes nothing is called for this, and no price is better than a guessed one.
 */
import { findEstimate } from '../effect/reading/find-estimate.ts';
import { readTool } from '../effect/reading/read-tool.ts';
import { propertiesOf } from '../effect/schema.ts';
import { TIERS } from '../effect/tier.ts';
import type { Price } from './approve/card.ts';
import type { CallPort, GateCall } from './gate-call.ts';
import { readPrice } from './read-price.ts';
import type { JsonObject } from './wire/frame.ts';
import { isObject } from './wire/read-frame.ts';

const PATIENCE_MS = 5000;

export async function askPrice(
  call: GateCall,
  port: CallPort,
  siblings: readonly JsonObject[],
): Promise<Price | undefined> {
  if (TIERS[call.effect.tier].retries !== 'same-key') return undefined;
  const estimate = call.effect.money?.estimate ?? findEstimate(siblings, call.tool.definition);
  const tool = siblings.find(({ name }) => name === estimate);
  if (estimate === undefined || tool === undefined) return undefined;
  if (!TIERS[readTool(tool).effect.tier].looksOnly) return undefined;
  const args = fittingArguments(call.args, tool['inputSchema']);
  const asked = port.request('tools/call', { name: estimate, arguments: args });
  const delivery = await Promise.race([asked, patience()]);
  if (delivery === undefined || delivery.kind === 'failure') return undefined;
  const { result } = delivery.frame.message;
  return isObject(result) ? readPrice(result, estimate, call.effect.money?.unit) : undefined;
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
