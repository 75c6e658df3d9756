/** The headers of one POST that depend on its message and on who sent it. */
import type { Frame, JsonObject } from '../../frame.ts';
import { nameOf } from '../envelope.ts';
import { toHeaderText } from '../header-text.ts';
import { toParamHeaders } from './param-headers.ts';

type ToolOf = (name: string) => { readonly inputSchema: JsonObject } | undefined;

export function toPostHeaders(
  frame: Frame,
  isModern: boolean,
  toolOf: ToolOf | undefined,
): Readonly<Record<string, string>> {
  const { message, caller } = frame;
  const given = caller?.headers ?? {};
  if (!isModern || message.method === undefined) return given;
  const name = nameOf(message);
  return {
    ...mirrored(frame, toolOf),
    ...given,
    'mcp-method': message.method,
    ...(name !== undefined && { 'mcp-name': toHeaderText(name) }),
  };
}

/** A caller that came with headers of its own has mirrored its arguments; what it left out stays out. */
function mirrored({ message, caller }: Frame, toolOf: ToolOf | undefined): Record<string, string> {
  if (toolOf === undefined || message.method !== 'tools/call') return {};
  if (caller?.headers !== undefined && 'mcp-method' in caller.headers) return {};
  const name = nameOf(message);
  const tool = name === undefined ? undefined : toolOf(name);
  return tool === undefined ? {} : toParamHeaders(tool.inputSchema, message.params?.['arguments']);
}
