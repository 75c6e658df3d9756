/**
 * The headers of one POST that depend on its message and on who sent it. What repeats the message is made
 * from the bytes that are sent, never taken from the caller.
 */
import { nameOf } from '../protocol/envelope.ts';
import type { Frame, JsonObject } from '../protocol/frame.ts';
import { toHeaderText, toParamHeaders } from '../protocol/param-headers.ts';

type ToolOf = (name: string) => { readonly inputSchema: JsonObject } | undefined;

export function toPostHeaders(
  frame: Frame,
  isModern: boolean,
  toolOf: ToolOf | undefined,
): Record<string, string> {
  const { message, caller } = frame;
  const headers: Record<string, string> = {};
  for (const name in caller?.headers) {
    const value = caller.headers[name];
    if (value !== undefined && !name.startsWith('mcp-')) headers[name] = value;
  }
  if (!isModern || message.method === undefined) return headers;
  if (message.method === 'tools/call') addMirrors(headers, frame, toolOf);
  headers['mcp-method'] = message.method;
  const name = nameOf(message);
  if (name !== undefined) headers['mcp-name'] = toHeaderText(name);
  return headers;
}

/** A caller that came with headers of its own has mirrored its arguments; what it left out stays out. */
function addMirrors(
  headers: Record<string, string>,
  { message, caller }: Frame,
  toolOf: ToolOf | undefined,
): void {
  const name = nameOf(message);
  const tool = name === undefined ? undefined : toolOf?.(name);
  if (tool === undefined) return;
  const made = toParamHeaders(tool.inputSchema, message.params?.['arguments']);
  const { headers: given = {} } = caller ?? {};
  const isAll = !('mcp-method' in given);
  for (const header in made) {
    const value = made[header];
    if (value !== undefined && (isAll || header in given)) headers[header] = value;
  }
}
