import { describe, expect, it } from 'vitest';
import { openConsolePages, serverView } from '../../../test/support/console-pages.ts';
import type { Receipt } from '../../ledger/receipt.ts';
import { HOSTS } from '../../check/hosts/decide-host.ts';
import { toolPath } from './parts.ts';

const ORDER = {
  name: 'place_order',
  title: 'Place an order',
  description: 'Buys what is in the basket.\nCharges the card.',
  inputSchema: {
    type: 'object',
    properties: {
      basket: { type: 'string', description: 'Which basket.' },
      callback_url: { type: 'string', format: 'uri' },
    },
    required: ['basket'],
  },
  annotations: { readOnlyHint: true, openWorldHint: 'yes' },
};
const ESTIMATE = { name: 'estimate_order', description: 'Returns what an order would cost.' };

const servers = () => [serverView([ORDER, ESTIMATE], { name: 'shop' })];

function receipt(id: string, more: Partial<Receipt>): Receipt {
  return {
    kind: 'receipt',
    id,
    at: '2026-01-01T10:00:00.000Z',
    operation: 'place_order',
    act: 'spend',
    tier: 'external_spend',
    reach: 'own-account',
    openWorld: false,
    via: 'mcp-stdio',
    principal: '<i>agent</i>',
    decision: 'ran',
    outcome: 'success',
    milliseconds: 3,
    server: 'shop',
    ...more,
  };
}

describe('one tool', () => {
  it('tells what it does, what it claims, how that is known and what hosts do', async () => {
    await using pages = await openConsolePages({ servers });
    const text = await pages.get('/tools/shop/place_order');
    expect(text).toContain('<title>Place an order · Plimsoll</title>');
    expect(text).toMatch(/<dt>Act<\/dt>\s*<dd>spend/);
    expect(text).toContain('Moves money or credits.');
    expect(text).toContain('estimate_order estimates the price');
    expect(text).toMatch(/readOnlyHint<\/code><\/th>\s*<td>true<\/td>/);
    expect(text).toMatch(/destructiveHint<\/code><\/th>\s*<td>unset<\/td>/);
    expect(text).toMatch(/openWorldHint<\/code><\/th>\s*<td>unclear<\/td>/);
    expect(text).toContain('it claims readOnlyHint true');
    for (const { name } of HOSTS) expect(text).toContain(name);
    expect(text).toMatch(
      /<code>callback_url<\/code><\/th><td[^>]*>string<\/td><td[^>]*>no<\/td><td[^>]*>risky<\/td>/,
    );
    expect(text).toContain('href="/what-if?server=shop&amp;tool=place_order"');
    expect(text).toContain('href="/servers/shop"');
  });

  it('lists the last twenty calls of this tool of this server, newest first', async () => {
    await using pages = await openConsolePages({ servers });
    const { ledger } = pages.services;
    for (let index = 0; index < 25; index += 1) {
      await ledger.record({ receipt: receipt(`call-${index}`, {}), args: {} });
    }
    await ledger.record({ receipt: receipt('of-another', { server: 'other' }), args: {} });
    await ledger.record({ receipt: receipt('of-estimate', { operation: 'x' }), args: {} });
    await ledger.flush();
    const text = await pages.get('/tools/shop/place_order');
    const ids = [...text.matchAll(/href="\/calls\/([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toHaveLength(20);
    expect(ids.at(0)).toBe('call-24');
    expect(ids.at(-1)).toBe('call-5');
    expect(text).toContain('&lt;i&gt;agent&lt;/i&gt;');
    expect(text).toContain('href="/calls?server=shop&amp;operation=place_order"');
  });

  it('says so when nobody has called it, and when there is no such tool', async () => {
    await using pages = await openConsolePages({ servers });
    expect(await pages.get('/tools/shop/place_order')).toContain('It has not been called yet');
    for (const path of ['/tools/shop/nothing', '/tools/%3Cb%3E/x']) {
      const response = await pages.request(path);
      expect(response.status).toBe(404);
      expect(await response.text()).not.toContain('<b>x');
    }
  });

  it.each([
    'a/b',
    'a%2Fb',
    '100%',
    'a b?c#d',
    '<script>',
    'ü\u{1F600}',
    '"\'`',
    'a\nb',
    '%2e%2e',
    '...',
  ])('has a page whatever the tool is called: %j', async (name) => {
    const odd = () => [serverView([{ name, description: 'Returns.' }], { name: 's/1' })];
    await using pages = await openConsolePages({ servers: odd });
    const path = toolPath('s/1', name) ?? '';
    const [, link] = /href="(\/tools\/[^"]+)"/.exec(await pages.get('/tools')) ?? [];
    expect(link?.replaceAll('&#39;', "'")).toBe(path);
    const response = await pages.request(new URL(path, 'http://localhost').pathname);
    expect(response.status).toBe(200);
    expect(await response.text()).not.toContain('<script>');
  });

  it('has no address for names that would lead elsewhere', () => {
    for (const name of ['', '.', '..', '\uD800']) expect(toolPath('shop', name)).toBeUndefined();
  });

  it('shows hostile words only as visible text', async () => {
    const bad = {
      name: 'get_x',
      title: '</title><script>1</script>',
      description: '</pre><svg onload=alert(1)>\u{E0041}\u202Etxt\u0007\r\nsecond line',
      inputSchema: {
        type: 'object',
        properties: {
          '<img src=x>': { type: ['string', '<u>'], description: '\u200Bhidden <a href=//x>' },
          mode: { enum: ['<em>', 'delete'] },
        },
      },
      annotations: { readOnlyHint: '<s>' },
      _meta: { 'x-side-effect': '<q>', 'x-required-scope': '<kbd>' },
    };
    await using pages = await openConsolePages({ servers: () => [serverView([bad])] });
    const text = await pages.get('/tools/notes/get_x');
    expect(text).not.toMatch(/<script>|<svg onload|<img|<u>|<em>|<s>|<q>|<kbd>|<a href=\/\//);
    for (const hidden of ['\u{E0041}', '\u202E', '\u0007', '\r', '\u200B']) {
      expect(text).not.toContain(hidden);
    }
    for (const marker of ['E0041', '202E', '0007', '000D', '200B']) {
      expect(text).toContain(`⟨U+${marker}⟩`);
    }
    expect(text).toContain('\nsecond line</pre>');
  });
});
