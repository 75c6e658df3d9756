import { request } from 'node:http';
import { describe, expect, it } from 'vitest';
import { openRedirect } from './open-redirect.ts';

const STATE = 'state-of-this-flow';

describe('the address that a browser comes back to', () => {
  it('takes the redirect with the right state, once', async () => {
    await using redirect = await openRedirect(STATE);
    const arrival = redirect.arrival(5000);
    const url = `${redirect.url}?state=${STATE}&code=abc&iss=https://id.example`;
    const page = await fetch(url);
    expect(page.status).toBe(200);
    expect(await arrival).toEqual({ code: 'abc', issuer: 'https://id.example' });
    expect((await fetch(url)).status).toBe(400);
  });

  it.each([
    ['another state', `?state=${STATE}x&code=abc`],
    ['no state', '?code=abc'],
    ['two states', `?state=${STATE}&state=x&code=abc`],
  ])('turns away %s and goes on waiting', async (_, query) => {
    await using redirect = await openRedirect(STATE);
    const arrival = redirect.arrival(5000);
    expect((await fetch(`${redirect.url}${query}`)).status).toBe(400);
    await fetch(`${redirect.url}?state=${STATE}&code=right`);
    expect(await arrival).toMatchObject({ code: 'right' });
  });

  it('is at one path, by one method, under one name', async () => {
    await using redirect = await openRedirect(STATE);
    const query = `?state=${STATE}&code=abc`;
    expect((await fetch(`${redirect.url}/${query}`)).status).toBe(404);
    expect((await fetch(`${redirect.url}${query}`, { method: 'POST' })).status).toBe(404);
    const status = await new Promise((done) => {
      const headers = { host: 'rebound.example' };
      request(`${redirect.url}${query}`, { headers }, ({ statusCode }) => done(statusCode)).end();
    });
    expect(status).toBe(404);
  });

  it('answers with a page that repeats nothing and runs nothing', async () => {
    await using redirect = await openRedirect(STATE);
    const page = await fetch(`${redirect.url}?state=<script>alert(1)</script>&code=abc`);
    const html = await page.text();
    expect(html).not.toContain('script');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(page.headers.get('cache-control')).toBe('no-store');
  });

  it('tells a refusal only in words of the standard', async () => {
    const told = async (word: string): Promise<string> => {
      await using redirect = await openRedirect(STATE);
      await fetch(`${redirect.url}?state=${STATE}&code=abc&error=${encodeURIComponent(word)}`);
      try {
        return JSON.stringify(await redirect.arrival(5000));
      } catch (error) {
        return String(error);
      }
    };
    expect(await told('access_denied')).toBe('Error: the sign-in was refused: access_denied');
    expect(await told('\u001B[2Jhello')).toBe('Error: the sign-in was refused');
  });

  it('does not wait for ever', async () => {
    await using redirect = await openRedirect(STATE);
    await expect(redirect.arrival(20)).rejects.toThrow('nobody signed in');
  });
});
