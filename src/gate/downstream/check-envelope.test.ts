import { describe, expect, it } from 'vitest';
import type { JsonObject, RpcMessage } from '../protocol/frame.ts';
import { checkEnvelope, isModern } from './check-envelope.ts';

const VERSION = '2026-07-28';
const meta = {
  'io.modelcontextprotocol/protocolVersion': VERSION,
  'io.modelcontextprotocol/clientCapabilities': {},
};
const headers = {
  'mcp-protocol-version': VERSION,
  'mcp-method': 'tools/call',
  'mcp-name': 'näme',
};

function call(params: JsonObject = { name: 'näme', _meta: meta }): RpcMessage {
  return { id: 1, method: 'tools/call', params };
}

describe('checkEnvelope', () => {
  it('takes headers that repeat the body, encoded or not', () => {
    expect(checkEnvelope(call(), headers)).toBeUndefined();
    const encoded = { ...headers, 'mcp-name': '=?base64?bsOkbWU=?=' };
    expect(checkEnvelope(call(), encoded)).toBeUndefined();
    const list = { id: 1, method: 'tools/list', params: { _meta: meta } };
    const plain = { 'mcp-protocol-version': VERSION, 'mcp-method': 'tools/list' };
    expect(checkEnvelope(list, plain)).toBeUndefined();
  });

  it.each([
    { ...headers, 'mcp-protocol-version': '2026-07-29' },
    { ...headers, 'mcp-method': 'tools/list' },
    { ...headers, 'mcp-method': 'Tools/call' },
    { ...headers, 'mcp-name': 'name' },
    { ...headers, 'mcp-name': '=?base64?*?=' },
    { 'mcp-method': 'tools/call', 'mcp-name': 'näme' },
    { 'mcp-protocol-version': VERSION, 'mcp-name': 'näme' },
    { 'mcp-protocol-version': VERSION, 'mcp-method': 'tools/call' },
  ])('refuses headers that say something else or nothing: %j', (given) => {
    expect(checkEnvelope(call(), given)?.code).toBe(-32_020);
  });

  it.each([
    { name: 'näme' },
    { name: 'näme', _meta: {} },
    { name: 'näme', _meta: { ...meta, 'io.modelcontextprotocol/clientCapabilities': [] } },
    { name: 'näme', _meta: { ...meta, 'io.modelcontextprotocol/protocolVersion': 1 } },
  ])('refuses a request without what _meta must hold: %j', (params) => {
    expect(checkEnvelope(call(params), headers)?.code).toBe(-32_602);
  });

  it('asks notifications for no headers, but for true ones', () => {
    const note = { method: 'notifications/x' };
    expect(checkEnvelope(note, { 'mcp-protocol-version': VERSION })).toBeUndefined();
    expect(checkEnvelope(note, { 'mcp-method': 'notifications/y' })?.code).toBe(-32_020);
  });

  it('refuses answers, and a handshake under a modern header', () => {
    expect(checkEnvelope({ id: 1, result: {} }, headers)?.code).toBe(-32_600);
    expect(checkEnvelope({ id: 1, method: 'initialize', params: {} }, headers)?.code).toBe(-32_020);
  });
});

describe('isModern', () => {
  it('goes by the body, then by the header', () => {
    expect(isModern(call(), {})).toBe(true);
    expect(isModern({ method: 'x' }, { 'mcp-protocol-version': VERSION })).toBe(true);
    expect(isModern({ method: 'x' }, { 'mcp-protocol-version': '2025-11-25' })).toBe(false);
    expect(isModern({ method: 'x' }, {})).toBe(false);
  });
});
