/** Writes the value of a parameter as its style says (OpenAPI 3.1, "Style Values"). Pure. */
import { asObject } from './json.ts';
import type { PlannedParameter } from './request-plan.ts';

/** The value for a path or a header; `undefined` when there is none to send. */
export function toPlainText({ style }: PlannedParameter, value: unknown): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (style === 'json') return JSON.stringify(value);
  return flatten(value).map(toText).join(',');
}

/** Name and value pairs for a query. */
export function toQueryPairs(
  { name, style, explode }: PlannedParameter,
  value: unknown,
): readonly (readonly [string, string])[] {
  if (value === undefined || value === null) return [];
  if (style === 'json') return [[name, JSON.stringify(value)]];
  const object = asObject(value);
  if (object !== undefined && (style === 'deepObject' || explode)) {
    return Object.entries(object)
      .filter(([, inner]) => inner !== undefined && inner !== null)
      .flatMap(([key, inner]) => {
        const full = style === 'deepObject' ? `${name}[${key}]` : key;
        return (Array.isArray(inner) ? inner : [inner]).map(
          (each) => [full, toText(each)] as const,
        );
      });
  }
  if (Array.isArray(value) && explode) return value.map((each) => [name, toText(each)]);
  const separator = style === 'spaceDelimited' ? ' ' : style === 'pipeDelimited' ? '|' : ',';
  return [[name, flatten(value).map(toText).join(separator)]];
}

/** Objects become `key,value,key,value`. */
function flatten(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value as readonly unknown[];
  const object = asObject(value);
  return object === undefined ? [value] : Object.entries(object).flat();
}

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
