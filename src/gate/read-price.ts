/** Reads a price out of what an estimate answered: an amount under a name that means money. */
import type { Price } from './approve/card.ts';
import type { JsonObject } from './wire/frame.ts';
import { isObject } from './wire/read-frame.ts';

/** In the order in which they are believed. */
const AMOUNTS =
  /^(total|total_?(price|cost|amount)|grand_?total|price|cost|amount|estimated_?(cost|price|total)|estimate|credits|fee|charge)(_?(credits|cents|usd|eur|gbp))?$/i;
const UNITS = /^(currency|unit|units|currency_?code|asset)$/i;
const UNIT_IN_NAME = /(credits|cents|usd|eur|gbp)$/i;
const DEPTH = 4;

export function readPrice(result: JsonObject, from: string, unit?: string): Price | undefined {
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
