import { describe, expect, it } from 'vitest';
import { codesOf, goodTool } from '../../../../test/support/try-rule.ts';
import { rule } from './rule.ts';

const taking = (name: string, properties: unknown): unknown =>
  goodTool({ name, title: undefined, inputSchema: { type: 'object', properties } });
const text = { type: 'string' };

describe('catch-all', () => {
  it('finds a tool that takes safe and unsafe methods', () => {
    const method = { type: 'string', enum: ['GET', 'POST', 'DELETE'] };
    expect(codesOf(rule, [taking('notes_api', { method, path: text })])).toEqual([
      'catch-all/methods',
    ]);
  });

  it('finds any request', () => {
    const tools = [taking('api_request', { method: text, endpoint: text })];
    expect(codesOf(rule, tools)).toEqual(['catch-all/any-request']);
  });

  it('finds any action', () => {
    const tools = [taking('execute_action', { action: text, params: { type: 'object' } })];
    expect(codesOf(rule, tools)).toEqual(['catch-all/any-action']);
  });

  it('leaves tools of one kind alone', () => {
    const action = { type: 'string', enum: ['start', 'stop'] };
    const named = { type: 'object', properties: { id: text } };
    const tools = [
      taking('http_get', { url: text, method: { type: 'string', enum: ['GET', 'HEAD'] } }),
      taking('pay', { method: { type: 'string', enum: ['card', 'cash'] } }),
      taking('rate', { method: text }),
      taking('execute_action', { action, params: { type: 'object' } }),
      taking('execute_action', { action: text, params: named }),
      taking('get_action_schema', { action: text, params: { type: 'object' } }),
      goodTool(),
    ];
    expect(codesOf(rule, tools)).toEqual([]);
  });
});
