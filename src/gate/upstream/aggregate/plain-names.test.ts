import { describe, expect, it } from 'vitest';
import { LISTS, mergeLists } from './merged-lists.ts';
import { PlainNames } from './plain-names.ts';
import { toRoute } from './to-route.ts';

const TOOLS = LISTS.get('tools/list') ?? { field: '', key: '', isPrefixed: false, capability: '' };

function merge(names: PlainNames, lists: Readonly<Record<string, readonly string[]>>): unknown {
  const parts = Object.entries(lists).map(([server, tools]) => ({
    server,
    pages: [{ tools: tools.map((name) => ({ name })) }],
  }));
  const { result } = mergeLists(TOOLS, parts, undefined, names);
  return (result['tools'] as readonly { name: string }[]).map(({ name }) => name);
}

function route(names: PlainNames, name: string): unknown {
  const found = toRoute({ method: 'tools/call', params: { name } }, names);
  return found.kind === 'named' ? `${found.server} ${found.name}` : found.kind;
}

describe('plain names behind the aggregate', () => {
  it('are those of the servers, and lead to them', () => {
    const names = new PlainNames();
    expect(merge(names, { files: ['read', 'write'], notes: ['get'] })).toEqual([
      'read',
      'write',
      'get',
    ]);
    expect(route(names, 'write')).toBe('files write');
    expect(route(names, 'get')).toBe('notes get');
    expect(route(names, 'other')).toBe('unknown-name');
  });

  it('stay with the server that had them first: another one keeps its prefix', () => {
    const names = new PlainNames();
    merge(names, { files: ['read'], notes: ['get'] });
    expect(merge(names, { files: ['read'], notes: ['get', 'read'] })).toEqual([
      'read',
      'get',
      'notes__read',
    ]);
    // The first one is down; its name does not pass to the other.
    expect(merge(names, { notes: ['read'] })).toEqual(['notes__read']);
    expect(route(names, 'read')).toBe('files read');
    expect(route(names, 'notes__read')).toBe('notes read');
  });

  it('stay with the server that they were accepted from, whoever starts first', () => {
    const names = new PlainNames(new Map([['read', 'files']]));
    expect(merge(names, { notes: ['read'] })).toEqual(['notes__read']);
    expect(route(names, 'read')).toBe('files read');
  });

  it('with the prefix of another server are taken over by nobody', () => {
    const names = new PlainNames(new Map([['get', 'notes']]));
    expect(merge(names, { files: ['get'], third: ['files__get'] })).toEqual([
      'files__get',
      'third__files__get',
    ]);
    expect(route(names, 'files__get')).toBe('files get');
    expect(route(names, 'third__files__get')).toBe('third files__get');
    const later = new PlainNames(new Map([['get', 'notes']]));
    expect(merge(later, { third: ['files__get'], files: ['get'] })).toEqual(['files__get']);
    expect(route(later, 'files__get')).toBe('third files__get');
  });

  it('with two underscores belong to the server that has them, not to the one that they begin with', () => {
    const names = new PlainNames();
    merge(names, { notes: ['files__read'] });
    expect(route(names, 'files__read')).toBe('notes files__read');
  });
});
