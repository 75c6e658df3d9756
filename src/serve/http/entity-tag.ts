/** Version tags in headers (RFC 9110): written only where a header can hold them, read only where they name one version. */

/**
 * What stands between the quotes. Other letters would be allowed, but every library encodes them in its
 * own way; spaces would not, but are common in dates.
 */
const OPAQUE = String.raw`[\x20\x21\x23-\x7E]*`;
const HOLDABLE = new RegExp(`^${OPAQUE}$`);
const ONE_TAG = new RegExp(`^\\s*"(${OPAQUE})"\\s*$`);
/** Not what the standard says, but what people type. */
const UNQUOTED = /^\s*([\x21\x23-\x2B\x2D-\x7E]+)\s*$/;

/** Undefined where a header cannot hold it. */
export function toEntityTag(version: string): string | undefined {
  return HOLDABLE.test(version) ? `"${version}"` : undefined;
}

/**
 * The version that `If-Match` names. Undefined for lists, `*` and weak tags, which name none that an
 * operation could compare with its own.
 */
export function readIfMatch(header: string): string | undefined {
  const [, quoted] = ONE_TAG.exec(header) ?? [];
  if (quoted !== undefined) return quoted;
  const [, plain] = UNQUOTED.exec(header) ?? [];
  return plain === '*' ? undefined : plain;
}
