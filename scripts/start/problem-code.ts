/** The code of the problem that a tool result of the gate carries, if it carries one. */
export function problemCode({
  _meta,
}: {
  readonly _meta?: object | undefined;
}): string | undefined {
  const meta = { ..._meta } as Readonly<Record<string, unknown>>; // out of JSON
  const problem = meta['dev.plimsoll/problem'];
  return (problem as { readonly code?: string } | undefined)?.code; // a problem has one
}
