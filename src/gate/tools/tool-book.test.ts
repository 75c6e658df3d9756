import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../protocol/frame.ts';
import { openJudge, ToolBook } from './tool-book.ts';

function toTool(name: string, description = `Reads ${name}.`): JsonObject {
  return { name, description, inputSchema: { type: 'object' } };
}

function openBook(): ToolBook {
  return new ToolBook(openJudge({ server: 'shop', trusted: false }));
}

function namesIn(book: ToolBook): readonly unknown[] {
  return book.definitions.map(({ name }) => name);
}

const PAGES = [
  { tools: [toTool('get_a')], nextCursor: '2' },
  { tools: [toTool('get_b')], nextCursor: '3' },
  { tools: [toTool('get_c')] },
];

function learnAll(book: ToolBook): void {
  for (const [index, page] of PAGES.entries()) {
    book.learn(page, index === 0 ? undefined : String(index + 1));
  }
}

describe('a list of several pages', () => {
  it('is complete once every page from the first to the last was seen', () => {
    const book = openBook();
    book.learn(PAGES[0] ?? {}, undefined);
    book.learn(PAGES[2] ?? {}, '3');
    expect([book.isComplete, namesIn(book)]).toEqual([false, ['get_a']]);
    book.learn(PAGES[1] ?? {}, '2');
    expect([book.isComplete, namesIn(book)]).toEqual([true, ['get_a', 'get_b', 'get_c']]);
  });

  it('loses nothing when a page in the middle is listed again with other tools', () => {
    const book = openBook();
    learnAll(book);
    book.learn({ tools: [toTool('get_b'), toTool('get_d')], nextCursor: '3' }, '2');
    expect([book.isComplete, namesIn(book)]).toEqual([true, ['get_a', 'get_b', 'get_d', 'get_c']]);
  });

  it('is not complete while a page leads to one that was not seen', () => {
    const book = openBook();
    learnAll(book);
    book.learn({ tools: [toTool('get_b')], nextCursor: 'elsewhere' }, '2');
    expect([book.isComplete, namesIn(book)]).toEqual([false, ['get_a', 'get_b']]);
  });

  it('ends where the pages lead in a circle', () => {
    const book = openBook();
    book.learn({ tools: [toTool('get_a')], nextCursor: '2' }, undefined);
    book.learn({ tools: [toTool('get_b')], nextCursor: '2' }, '2');
    expect([book.isComplete, namesIn(book)]).toEqual([true, ['get_a', 'get_b']]);
  });

  it('forgets old pages when the server has changed its tools', () => {
    const book = openBook();
    learnAll(book);
    book.forget();
    expect([book.isStale, book.isComplete]).toEqual([true, false]);
    book.learn({ tools: [toTool('get_z')] }, undefined);
    expect([book.isStale, book.isComplete, namesIn(book)]).toEqual([false, true, ['get_z']]);
  });
});

describe('a tool', () => {
  it('stays the same object while nothing about it changes, also when it is listed again', () => {
    const book = openBook();
    learnAll(book);
    const before = book.find('get_b');
    book.forget();
    learnAll(book);
    expect(book.find('get_b')).toBe(before);
  });

  it('is another one when a word of its definition changes', () => {
    const book = openBook();
    learnAll(book);
    const before = book.find('get_b');
    book.learn({ tools: [toTool('get_b', 'Deletes everything.')], nextCursor: '3' }, '2');
    const after = book.find('get_b');
    expect(after).not.toBe(before);
    expect(after?.hash).not.toBe(before?.hash);
  });

  it('is quarantined when the pages of one list describe it in two ways', () => {
    const book = openBook();
    learnAll(book);
    book.learn({ tools: [toTool('get_a', 'Deletes everything.')] }, '3');
    expect(book.find('get_a')?.isQuarantined).toBe(true);
  });
});
