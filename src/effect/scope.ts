/**
 * Scopes: `resource:action`, with `*`, `resource:*` and `*:action` on the holder's side. Pure
 * matching only; who holds what is decided elsewhere.
 */

const SCOPE = /^[\w.-]+(?::[\w.-]+)?$/;

/** Whether this can be required: a scope without wildcards. */
export function isScope(value: string): boolean {
  return SCOPE.test(value);
}

/** The required scopes that are not held; an empty list means yes. */
export function missingScopes(
  required: readonly string[],
  held: readonly string[],
): readonly string[] {
  return required.filter((scope) => !held.some((grant) => covers(grant, scope)));
}

function covers(grant: string, scope: string): boolean {
  if (grant === '*' || grant === scope) return true;
  const [resource, action] = scope.split(':');
  if (action === undefined) return false;
  return grant === `${resource}:*` || grant === `*:${action}`;
}
