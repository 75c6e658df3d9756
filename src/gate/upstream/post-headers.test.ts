import { describe, expect, it } from 'vitest';
import type { Caller, JsonObject } from '../protocol/frame.ts';
import { toFrame } from '../protocol/frame.ts';
import { toPostHeaders } from './post-headers.ts';

const inputSchema: JsonObject = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    plain: { type: 'string' },
    deep: {
      type: 'object',
      properties: { flag: { type: 'boolean', 'x-mcp-header': 'Flag' } },
    },
    bad: { type: 'string', 'x-mcp-header': 'not a token' },
  },
};

function headersOf(args: JsonObject, headers?: Record<string, string>): Record<string, string> {
  const caller: Caller = {
    principal: { id: 'a', scopes: [] },
    session: 's',
    via: 'mcp-stdio',
    ...(headers !== undefined && { headers }),
  };
  const params = { name: 'näme', arguments: args };
  const frame = toFrame({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  return toPostHeaders({ ...frame, caller }, true, () => ({ inputSchema }));
}

describe('toPostHeaders', () => {
  it('repeats method, name and the arguments that the schema marks', () => {
    const args = { region: 'Köln', count: 3, plain: 'x', deep: { flag: true }, bad: 'y' };
    expect(headersOf(args)).toEqual({
      'mcp-method': 'tools/call',
      'mcp-name': '=?base64?bsOkbWU=?=',
      'mcp-param-region': '=?base64?S8O2bG4=?=',
      'mcp-param-count': '3',
      'mcp-param-flag': 'true',
    });
  });

  it('leaves out arguments that are not there or have no single spelling', () => {
    const args = { region: null, count: 2 ** 60, deep: 'no object' };
    expect(Object.keys(headersOf(args)).toSorted()).toEqual(['mcp-method', 'mcp-name']);
  });

  it('adds nothing for a caller that has headers of its own, and takes no value from it', () => {
    const own = { 'mcp-method': 'tools/list', 'mcp-param-count': '4', 'mcp-param-else': '5' };
    expect(headersOf({ region: 'x', count: 3 }, { ...own, baggage: 'a=1' })).toEqual({
      baggage: 'a=1',
      'mcp-method': 'tools/call',
      'mcp-name': '=?base64?bsOkbWU=?=',
      'mcp-param-count': '3',
    });
  });

  it('repeats nothing to a server of the 2025 revisions', () => {
    const own = { 'mcp-method': 'tools/list', 'mcp-param-count': '4', traceparent: '00' };
    const frame = toFrame({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a' } });
    const caller = { principal: { id: 'a', scopes: [] }, session: 's', via: 'mcp-http' } as const;
    const sent = { ...frame, caller: { ...caller, headers: own } };
    expect(toPostHeaders(sent, false, () => ({ inputSchema }))).toEqual({ traceparent: '00' });
  });
});
