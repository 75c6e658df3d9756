/** Reads just enough of a JSON-RPC body to route it. Judges nothing: the SDK does that. */

interface RpcMessage {
  readonly method?: unknown;
  readonly id?: unknown;
  readonly params?: { readonly name?: unknown };
}

/** Whether the answer will hold a list of tools. */
export function asksForTools(body: unknown): boolean {
  return messagesIn(body).some(({ method }) => method === 'tools/list');
}

export function calledTool(body: unknown): string | undefined {
  const call = messagesIn(body).find(({ method }) => method === 'tools/call');
  return typeof call?.params?.name === 'string' ? call.params.name : undefined;
}

export function idOf(body: unknown): string | number | null {
  const id = messagesIn(body)[0]?.id;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

/** The first of the 2025 revisions allowed several messages in one body. */
function messagesIn(body: unknown): readonly RpcMessage[] {
  const list: readonly unknown[] = Array.isArray(body) ? body : [body];
  return list.filter((item): item is RpcMessage => typeof item === 'object' && item !== null);
}
