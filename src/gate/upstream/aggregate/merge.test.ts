import { describe, expect, it } from 'vitest';
import { toMergedDiscover, toMergedInitialize } from './handshake.ts';
import { LISTS, mergeLists } from './merged-lists.ts';

const INFO = { name: 'plimsoll', version: '1' };
const TOOLS = LISTS.get('tools/list');
const RESOURCES = LISTS.get('resources/list');
if (TOOLS === undefined || RESOURCES === undefined) throw new Error('no such lists');

describe('several servers as one', () => {
  const hellos = [
    {
      server: 'a',
      result: {
        protocolVersion: '2025-11-25',
        capabilities: { tools: { listChanged: false }, logging: {} },
        instructions: 'Ask.',
        ttlMs: 500,
      },
    },
    {
      server: 'b',
      result: {
        protocolVersion: '2025-03-26',
        capabilities: { tools: { listChanged: true }, prompts: {} },
        ttlMs: 300,
      },
    },
  ];
  const capabilities = { tools: { listChanged: true }, logging: {}, prompts: {} };

  it('can do what any of them can, in the oldest revision', () => {
    expect(toMergedInitialize(hellos, INFO)).toEqual({
      protocolVersion: '2025-03-26',
      capabilities,
      serverInfo: INFO,
      instructions: '# a\n\nAsk.',
    });
  });

  it('hold as long as the shortest of them, for this caller', () => {
    expect(toMergedDiscover(hellos, INFO)).toMatchObject({
      supportedVersions: ['2026-07-28'],
      capabilities,
      ttlMs: 300,
      cacheScope: 'private',
    });
    expect(toMergedDiscover([], INFO)).toMatchObject({ capabilities: {}, ttlMs: 0 });
  });
});

describe('lists as one', () => {
  it('keep the order of the servers and every field of an item', () => {
    const parts = [
      { server: 'b', pages: [{ tools: [{ name: 'x', own: { deep: [1] } }] }, { tools: [] }] },
      { server: 'a', pages: [{ tools: [{ name: 'x' }, { name: 'y' }], ttlMs: 9 }] },
    ];
    const { result, dropped } = mergeLists(TOOLS, parts, undefined);
    expect(result).toEqual({
      tools: [{ name: 'b__x', own: { deep: [1] } }, { name: 'a__x' }, { name: 'a__y' }],
    });
    expect(dropped).toEqual([]);
    expect(mergeLists(TOOLS, parts, INFO).result).toMatchObject({
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
    });
  });

  it('leave out what is listed twice or too long, and say so', () => {
    const long = 'x'.repeat(127);
    const pages = [{ tools: [{ name: 'x' }, { name: 'x', evil: true }, { name: long }, 7, {}] }];
    const { result, dropped } = mergeLists(TOOLS, [{ server: 'a', pages }], undefined);
    expect(result).toEqual({ tools: [{ name: 'a__x' }] });
    expect(dropped).toHaveLength(2);
  });

  it('leave addresses as they are, to the first who lists them', () => {
    const parts = ['a', 'b'].map((server) => ({
      server,
      pages: [{ resources: [{ uri: 'x:1' }, { uri: `${server}:1` }] }],
    }));
    const { result, owners, dropped } = mergeLists(RESOURCES, parts, undefined);
    expect(result).toEqual({ resources: [{ uri: 'x:1' }, { uri: 'a:1' }, { uri: 'b:1' }] });
    expect(owners.get('x:1')).toBe('a');
    expect(dropped).toHaveLength(1);
  });
});
