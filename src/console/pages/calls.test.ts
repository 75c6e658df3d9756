import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TestConsole } from '../../../test/console/calls-fixture.ts';
import {
  callReceipt,
  keepCalls,
  openTestConsole,
  textOf,
} from '../../../test/console/calls-fixture.ts';
import { MOST_UNINDEXED } from '../../ledger/receipts/read-unindexed.ts';
import { registerCall } from './call.ts';
import { registerCalls } from './calls.ts';

let pages: TestConsole;

beforeEach(async () => {
  pages = await openTestConsole([registerCalls, registerCall]);
});

afterEach(async () => {
  await pages.services.ledger[Symbol.asyncDispose]();
});

/** The numbers of the calls on a page, in its order. */
function numbersOn(text: string): readonly number[] {
  return [...text.matchAll(/<a href="\/calls\/[^"?]+">(\d+)<\/a>/g)].map(([, seq]) => Number(seq));
}

function hrefOf(text: string, word: string): string {
  const found = [...text.matchAll(/href="([^"]+)"\s*>\s*([^<]+)</g)].find(
    ([, , label]) => label?.trim() === word,
  );
  return (found?.[1] ?? '').replaceAll('&amp;', '&');
}

describe('the list of calls', () => {
  it('tells a newcomer what to do while there is none', async () => {
    const text = await textOf(pages.app, '/calls');
    expect(text).toContain('No calls yet');
    expect(text).toContain('href="/servers"');
  });

  it('goes from the newest to the oldest, page by page, without a gap', async () => {
    await keepCalls(
      pages.services.ledger,
      Array.from({ length: 120 }, () => callReceipt()),
    );
    const first = await textOf(pages.app, '/calls');
    const second = await textOf(pages.app, hrefOf(first, 'Older'));
    const third = await textOf(pages.app, hrefOf(second, 'Older'));
    expect([first, second, third].flatMap(numbersOn)).toEqual(
      Array.from({ length: 120 }, (_, index) => 119 - index),
    );
    expect(hrefOf(third, 'Older')).toBe('');
    expect(hrefOf(third, 'Newest')).toBe('/calls');
  });

  it('keeps the filter from page to page, and in the form', async () => {
    const receipts = Array.from({ length: 120 }, (_, index) =>
      callReceipt({ server: index % 2 === 0 ? 'bank' : 'shop', openWorld: true }),
    );
    await keepCalls(pages.services.ledger, receipts);
    const first = await textOf(pages.app, '/calls?server=bank&open=1&tier=read');
    const second = await textOf(pages.app, hrefOf(first, 'Older'));
    expect([first, second].flatMap(numbersOn)).toEqual(
      Array.from({ length: 60 }, (_, index) => 118 - 2 * index),
    );
    expect(second).toMatch(/name="server"\s+value="bank"/);
    expect(second).toMatch(/value="1"\s+checked/);
    expect(second).toMatch(/<option value="read" selected/);
  });

  it('claims no tier of a call whose effect nobody knows', async () => {
    const refused = { tier: 'destructive', decision: 'refused', effect: 'unknown' } as const;
    await keepCalls(pages.services.ledger, [callReceipt({ ...refused, id: 'made-up' })]);
    expect(await textOf(pages.app, '/calls')).toMatch(/<td[^>]*>\s*unknown\s*<\/td>/);
    const one = await textOf(pages.app, '/calls/made-up');
    expect(one).toContain('unknown; destructive is what the name suggests');
    expect(one).not.toContain('data-tier');
  });

  it('gives the index some time rather than nothing, when it is far behind', async () => {
    const { ledger } = pages.services;
    const newer = Array.from({ length: MOST_UNINDEXED + 5 }, () => callReceipt());
    await keepCalls(ledger, [callReceipt({ principal: 'noa' }), ...newer]);
    expect(numbersOn(await textOf(pages.app, '/calls?principal=noa'))).toEqual([0]);
  });

  it('says how much is not searched, and what to do about it', async () => {
    const { ledger } = pages.services;
    const newer = Array.from({ length: MOST_UNINDEXED + 5 }, () => callReceipt());
    await keepCalls(ledger, [...newer, callReceipt({ principal: 'noa' })]);
    const text = (await textOf(pages.app, '/calls?principal=noa')).replaceAll(/\s+/g, ' ');
    expect(text).toContain('only 1 of them matched');
    expect(text).toContain('6 receipts that are not indexed yet');
    expect(text).toContain('reload the page');
    expect(hrefOf(text, 'Search older calls')).toBe('/calls?principal=noa&before=6');
  });

  it('says so when nothing fits, and when a field says nothing it knows', async () => {
    await keepCalls(pages.services.ledger, [callReceipt()]);
    expect(await textOf(pages.app, '/calls?principal=nobody')).toContain('No matching calls');
    expect(await textOf(pages.app, '/calls?since=soon')).toContain('is not a time');
  });

  it('shows what others wrote as text, every character of it', async () => {
    const hostile = { operation: '<script>\u202E', principal: '"><b>', server: 'a\u200Bb' };
    await keepCalls(pages.services.ledger, [callReceipt(hostile)]);
    const query = new URLSearchParams(hostile).toString();
    for (const path of ['/calls', `/calls?${query}`]) {
      const text = await textOf(pages.app, path);
      expect(text).toContain('&lt;script&gt;⟨U+202E⟩');
      expect(text).toContain('a⟨U+200B⟩b');
      expect(text).not.toMatch(/<script>|<b>/);
    }
  });
});

describe('the download of calls', () => {
  it('gives each receipt exactly as it was signed, and only those that fit', async () => {
    const receipts = Array.from({ length: 1100 }, (_, index) =>
      callReceipt({ principal: index % 2 === 0 ? 'mia' : 'noa' }),
    );
    await keepCalls(pages.services.ledger, receipts);
    const response = await pages.app.request('/calls/export?principal=mia');
    expect(response.headers.get('content-disposition')).toContain('plimsoll-calls.jsonl');
    const lines = (await response.text()).trimEnd().split('\n');
    expect(lines).toHaveLength(550);
    const { store } = pages.services.ledger;
    const row = await store.transaction((tx) => tx.find('receipts', { seq: 1098 }));
    expect(lines[0]).toBe(row?.body);
  });

  it('speaks OCSF', async () => {
    await keepCalls(pages.services.ledger, [callReceipt({ outcome: 'forbidden' })]);
    const response = await pages.app.request('/calls/export?format=ocsf');
    expect(JSON.parse(await response.text())).toMatchObject({
      class_uid: 6003,
      status_code: 'forbidden',
      metadata: { version: '1.9.0', sequence: 0 },
    });
  });

  it('is refused when the filter cannot be read, rather than giving everything', async () => {
    const response = await pages.app.request('/calls/export?tier=none');
    expect(response.status).toBe(400);
  });

  it('is linked with the filter of the page', async () => {
    await keepCalls(pages.services.ledger, [callReceipt({ server: 'bank' })]);
    const text = await textOf(pages.app, '/calls?server=bank');
    expect(text).toContain('/calls/export?server=bank&amp;format=ocsf');
  });
});
