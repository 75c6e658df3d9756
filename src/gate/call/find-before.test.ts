/** Which tool reads what a call would replace, and what the difference is, by table. */
import { describe, expect, it } from 'vitest';
import type { Caller, JsonObject } from '../protocol/frame.ts';
import { toFrame } from '../protocol/frame.ts';
import type { ServerTools } from '../tools/server-tools.ts';
import { openJudge, ToolBook } from '../tools/tool-book.ts';
import table from './find-before.cases.json' with { type: 'json' };
import { findBeforeRead, toChange } from './find-before.ts';
import type { GateCall } from './read-call.ts';
import { toCall } from './read-call.ts';

interface CalledCase {
  readonly name: string;
  readonly arguments: JsonObject;
}

interface ToolCase {
  readonly name: string;
  readonly takes: readonly string[];
  readonly needs: readonly string[];
  readonly description?: string;
}

const caller: Caller = { principal: { id: 'agent', scopes: [] }, session: 's', via: 'mcp-stdio' };

function toDefinition({ name, takes, needs, description }: ToolCase): JsonObject {
  const properties = Object.fromEntries(takes.map((key) => [key, {}]));
  const inputSchema = { type: 'object', properties, required: [...needs] };
  return { name, inputSchema, ...(description !== undefined && { description }) };
}

function open(
  { name, arguments: args }: CalledCase,
  tools: readonly ToolCase[],
): { readonly call: GateCall; readonly book: ToolBook } {
  const book = new ToolBook(openJudge({ server: 'files', trusted: false }));
  const writer = { name, takes: Object.keys(args), needs: [] };
  book.learn({ tools: [writer, ...tools].map(toDefinition) }, undefined);
  const tool = book.find(name);
  const frame = toFrame({ id: 1, method: 'tools/call', params: { name, arguments: args } });
  const call = tool && toCall({ ...frame, caller }, tool, 0);
  if (call === undefined) throw new Error('no call');
  return { call, book };
}

describe('what a call would replace', () => {
  it.each(table.readers)('is read by $name', (one) => {
    const { call, book } = open(one.call, one.tools);
    const tools = book as unknown as ServerTools; // of which it has the part that is used
    expect(findBeforeRead(call, tools)).toEqual('reads' in one ? one.reads : undefined);
  });

  it.each(table.changes)('differs: $name', ({ call: called, args, result, lines }) => {
    const { call } = open(called, []);
    const change = toChange(call, { tool: 'reader', args }, toFrame({ id: 2, result }));
    expect(change?.diff.split('\n').filter((line) => /^[-+](?![-+])/.test(line))).toEqual(lines);
  });
});
