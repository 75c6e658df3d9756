import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { creates, deletes, reads } from '../effect/acts.ts';
import { defineOperation } from '../effect/define-operation.ts';
import { nextcloud } from '../effect/conventions/nextcloud.ts';
import { plimsoll } from '../effect/conventions/plimsoll.ts';
import type { Operation } from '../effect/operation.ts';
import { ToolLists } from './tool-lists.ts';

function define(name: string, scopes: readonly string[] = []): Operation {
  const effect = name.startsWith('read')
    ? reads('x')
    : name.startsWith('add')
      ? creates('x')
      : deletes('x');
  const words = { title: `Do ${name}`, description: 'Does it.' };
  return defineOperation({
    name,
    ...words,
    input: z.object({}),
    effect,
    scopes,
    run: () => undefined,
  });
}

/** As the SDK frames it. */
function framed(lists: ToolLists, scopes: readonly string[] = []): string {
  const tools = lists.placeholderFor({ id: 'a', scopes });
  return JSON.stringify({ result: { tools, ttlMs: 1 }, jsonrpc: '2.0', id: 'ü' });
}

function namesIn(bytes: Buffer): readonly string[] {
  const { result } = JSON.parse(bytes.toString('utf8')) as {
    result: { tools: { name: string }[] };
  };
  return result.tools.map(({ name }) => name);
}

const mixed = [
  define('read_a', ['a:read']),
  define('add_a', ['a:write']),
  define('read_b', ['b:read']),
];

describe('ToolLists', () => {
  it('puts the whole list where the stand-in was, and leaves the frame alone', () => {
    const lists = new ToolLists(mixed, plimsoll);
    const bytes = lists.fillIn(framed(lists));
    expect(namesIn(bytes)).toEqual(['read_a', 'add_a', 'read_b']);
    expect(JSON.parse(bytes.toString('utf8'))).toMatchObject({
      jsonrpc: '2.0',
      id: 'ü',
      result: { ttlMs: 1 },
    });
  });

  it('shows every tool in a convention that lists all, whatever the caller holds', () => {
    const lists = new ToolLists(mixed, plimsoll);
    expect(lists.isPrivate).toBe(false);
    expect(namesIn(lists.fillIn(framed(lists, ['b:read'])))).toHaveLength(3);
  });

  it('shows only what the caller may call in a convention that hides the rest', () => {
    const lists = new ToolLists(mixed, nextcloud);
    expect(lists.isPrivate).toBe(true);
    expect(namesIn(lists.fillIn(framed(lists, ['*:read'])))).toEqual(['read_a', 'read_b']);
    expect(namesIn(lists.fillIn(framed(lists, ['a:*'])))).toEqual(['read_a', 'add_a']);
    expect(namesIn(lists.fillIn(framed(lists, ['*'])))).toHaveLength(3);
    expect(namesIn(lists.fillIn(framed(lists, [])))).toEqual([]);
  });

  it('serialises ten thousand tools once, not per call', () => {
    const many = Array.from({ length: 10_000 }, (_, index) => define(`read_${index}`));
    const lists = new ToolLists(many, plimsoll);
    const first = lists.fillIn(framed(lists));
    const stringify = vi.spyOn(JSON, 'stringify');
    try {
      for (let call = 0; call < 50; call += 1) lists.placeholderFor(undefined);
      const again = lists.fillIn(framed(lists));
      expect(again.equals(first)).toBe(true);
      const longest = Math.max(...stringify.mock.results.map(({ value }) => String(value).length));
      expect(longest).toBeLessThan(1000);
    } finally {
      stringify.mockRestore();
    }
    expect(namesIn(first)).toHaveLength(10_000);
  });

  it('leaves text without a stand-in as it was', () => {
    const lists = new ToolLists(mixed, plimsoll);
    const text = '{"result":{"content":[{"name":"plimsoll-0-all"}]}}';
    expect(lists.fillIn(text).toString('utf8')).toBe(text);
  });

  it('cannot be made to leak a list by text that a caller chose', () => {
    const one = new ToolLists(mixed, plimsoll);
    const other = new ToolLists(mixed, plimsoll);
    const forged = framed(other);
    expect(one.fillIn(forged).toString('utf8')).toBe(forged);
  });
});
