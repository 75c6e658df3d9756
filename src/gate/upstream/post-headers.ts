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
): Readonly<Record<string, string>> {
  const { message, caller } = frame;
  const given = Object.entries(caller?.headers ?? {});
  const passed = Object.fromEntries(given.filter(([name]) => !name.startsWith('mcp-')));
  if (!isModern || message.method === undefined) return passed;
  const name = nameOf(message);
  return {
    ...passed,
    ...mirrored(frame, toolOf),
    'mcp-method': message.method,
    ...(name !== undefined && { 'mcp-name': toHeaderText(name) }),
  };
}

/** A caller that came with headers of its own has mirrored its arguments; what it left out stays out. */
function mirrored({ message, caller }: Frame, toolOf: ToolOf | undefined): Record<string, string> {
  if (toolOf === undefined || message.method !== 'tools/call') return {};
  const name = nameOf(message);
  const tool = name === undefined ? undefined : toolOf(name);
  if (tool === undefined) return {};
  const made = toParamHeaders(tool.inputSchema, message.params?.['arguments']);
  const { headers = {} } = caller ?? {};
  if (!('mcp-method' in headers)) return made;
  return Object.fromEntries(Object.entries(made).filter(([header]) => header in headers));
}
