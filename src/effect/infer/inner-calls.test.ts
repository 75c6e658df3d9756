import { describe, expect, it } from 'vitest';
import { TIERS } from '../tier.ts';
import type { InferredCall } from './infer-call.ts';
import { inferCall } from './infer-call.ts';
import { inferEffect } from './infer-effect.ts';

const SERVER = ['get_note', 'delete_note', 'pay_invoice'].map((name) => ({ name }));
const CALL = {
  name: 'call_tool',
  inputSchema: {
    type: 'object',
    properties: { name: { type: 'string' }, arguments: { type: 'object' } },
  },
};
const BATCH = {
  name: 'batch_tools',
  inputSchema: { type: 'object', properties: { calls: { type: 'array' } } },
};

function call(
  tool: { readonly name: string },
  args: Readonly<Record<string, unknown>>,
): InferredCall {
  const find = (name: string): ReturnType<Parameters<typeof inferCall>[3] & object> => {
    const definition = [...SERVER, CALL, BATCH].find((one) => one.name === name);
    return definition && { definition, inferred: inferEffect(definition) };
  };
  return inferCall(tool, inferEffect(tool), args, find);
}

describe('a tool that calls others', () => {
  it('asks as long as nobody knows what it calls', () => {
    expect(inferEffect(CALL)).toMatchObject({ asks: true, effect: { tier: 'destructive' } });
    expect(inferEffect(BATCH).asks).toBe(true);
    expect(inferEffect(CALL).reasons[0]?.code).toBe('calls-tools');
  });

  it('does what the inner call does', () => {
    expect(call(CALL, { name: 'get_note', arguments: { id: '1' } }).effect.tier).toBe('read');
    expect(call(CALL, { name: 'delete_note' }).effect.act).toBe('delete');
    expect(call(CALL, { name: 'pay_invoice', arguments: {} }).effect.tier).toBe('external_spend');
    expect(call(CALL, { name: 'get_note', arguments: { purge: true } }).effect.act).toBe('delete');
  });

  it('of several, all count', () => {
    const calls = [{ name: 'get_note' }, { name: 'pay_invoice', arguments: {} }];
    expect(call(BATCH, { calls: calls.slice(0, 1) }).effect.tier).toBe('read');
    expect(call(BATCH, { calls }).effect.tier).toBe('external_spend');
  });

  it.each([
    { name: 'wipe_all', arguments: {} },
    { name: 'get_note', tool: 'delete_note', arguments: {} },
    { name: 'get_note', arguments: {}, after: 'delete_note' },
    { name: 'get_note', arguments: '{"id": 1}' },
    { calls: [{ name: 'get_note' }, 'delete_note'] },
    {},
  ])('asks where the inner call cannot be told: %j', (args) => {
    const { effect } = call(CALL, args);
    expect(TIERS[effect.tier].asks).toBe(true);
  });

  it('does not follow calls of itself for ever', () => {
    let args: Readonly<Record<string, unknown>> = { name: 'get_note', arguments: {} };
    for (let depth = 0; depth < 10; depth += 1) args = { name: 'call_tool', arguments: args };
    expect(call(CALL, args).effect.tier).toBe('destructive');
  });
});

describe('a tool that runs SQL', () => {
  const tool = {
    name: 'execute_sql',
    description: 'Runs SQL.',
    inputSchema: { type: 'object', properties: { sql: { type: 'string' } } },
  };

  it('asks in general', () => {
    expect(inferEffect(tool).asks).toBe(true);
  });

  it('reads with a query that only looks', () => {
    const read = call(tool, { sql: 'SELECT count(*) FROM notes', limit: 5 });
    expect(read.effect.tier).toBe('read');
    expect(read.reasons[0]?.text).toBe('this call has a query that only looks');
  });

  it.each([
    { sql: 'DELETE FROM notes' },
    { sql: 'SELECT wipe_all()' },
    { sql: "SELECT 1 -- don't\n; DROP TABLE notes -- won't" },
    { sql: 'SELECT 1', query: 'DROP TABLE notes' },
    { sql: 'SELECT 1', script: 'rm -rf /' },
    { sql: 'SELECT 1', options: { multi: true } },
    { sql: ['SELECT 1'] },
    {},
  ])('and asks with anything else: %j', (args) => {
    expect(TIERS[call(tool, args).effect.tier].asks).toBe(true);
  });

  it('a name that says more than running is not made milder by its query', () => {
    const purge = { ...tool, name: 'purge_by_sql' };
    expect(call(purge, { sql: 'SELECT 1' }).effect.tier).toBe('destructive');
  });
});
