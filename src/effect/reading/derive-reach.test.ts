import { describe, expect, it } from 'vitest';
import type { Reach } from '../effect.ts';
import { readTool } from './read-tool.ts';

function reachOf(name: string, properties: object = {}, annotations = {}, trusted = false): Reach {
  return readTool({ name, annotations, inputSchema: { properties } }, { trusted }).effect.reach;
}

describe('reach', () => {
  it('of what is delivered or shared is other people', () => {
    expect(reachOf('send_email', { to: {} })).toBe('third-party');
    expect(reachOf('create_share_link')).toBe('third-party');
    expect(reachOf('create_note', { webhook_url: {} })).toBe('third-party');
    expect(reachOf('transfer_funds', { to_address: {} })).toBe('third-party');
  });

  it('of a read that takes an address is that address', () => {
    expect(reachOf('fetch_page', { url: {} })).toBe('user-url');
  });

  it('of public data is the vendor, and of the rest the account', () => {
    expect(reachOf('web_search', { query: {} })).toBe('vendor-data');
    expect(reachOf('get_note', {}, { openWorldHint: true })).toBe('vendor-data');
    expect(reachOf('get_note')).toBe('own-account');
    expect(reachOf('update_note')).toBe('own-account');
  });

  it('is drawn in by a hint of a trusted server only', () => {
    const closed = { openWorldHint: false };
    expect(reachOf('web_search', { query: {} }, closed)).toBe('vendor-data');
    expect(reachOf('web_search', { query: {} }, closed, true)).toBe('own-account');
  });
});
