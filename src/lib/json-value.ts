/** What JSON can say, as types: read-only, since whoever reads a message must not change it. */
export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue };
