/** Follows the references inside one schema. What lies outside of it is not fetched, and counts as lost. */

type Json = Readonly<Record<string, unknown>>;

export interface Resolved {
  readonly schema: Json;
  /** Where it was found, if it is nothing but referred to. */
  readonly pointer?: string;
  /** A reference leads nowhere, in a circle or elsewhere. */
  readonly isLost: boolean;
}

const MOST_STEPS = 20;

export function openSchema(root: Json | undefined): (schema: Json) => Resolved {
  return (given) => {
    let schema = given;
    let pointer: string | undefined;
    for (let step = 0; step < MOST_STEPS; step += 1) {
      const { $ref, $dynamicRef, ...own } = schema;
      const reference = $ref ?? $dynamicRef;
      if (reference === undefined)
        return { schema, ...(pointer !== undefined && { pointer }), isLost: false };
      const isOne = typeof reference === 'string' && [$ref, $dynamicRef].includes(undefined);
      const target = isOne ? findPart(root, reference) : undefined;
      if (!isOne || target === undefined) return { schema: own, isLost: true };
      const saysMore = !Object.keys(own).every((key) => REMARKS.has(key));
      // What stands beside a reference counts as well, and hides nothing of what is referred to.
      if (saysMore) return { schema: withBoth(target, own), isLost: false };
      pointer = reference;
      schema = { ...target, ...own };
    }
    return { schema: {}, isLost: true };
  };
}

function withBoth(target: Json, own: Json): Json {
  const allOf: readonly unknown[] = Array.isArray(own['allOf']) ? own['allOf'] : [];
  return { ...own, allOf: [target, ...allOf] };
}
const REMARKS = new Set(['title', 'description', 'default', 'examples', 'deprecated']);

/** By a JSON pointer: `#/$defs/Page`. */
function findPart(root: Json | undefined, reference: string): Json | undefined {
  if (reference !== '#' && !reference.startsWith('#/')) return undefined;
  let part: unknown = root;
  for (const step of reference.split('/').slice(1)) {
    const name = decode(step).replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof part !== 'object' || part === null || !Object.hasOwn(part, name)) return undefined;
    part = (part as Json)[name]; // JSON: its keys are strings
  }
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return undefined;
  return part as Json; // JSON: its keys are strings
}

function decode(step: string): string {
  try {
    return decodeURIComponent(step);
  } catch {
    return step;
  }
}
