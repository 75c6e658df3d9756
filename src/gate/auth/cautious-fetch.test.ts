import { describe, expect, it } from 'vitest';
import { cautiousFetch } from './cautious-fetch.ts';

describe('what a foreign server points to', () => {
  it.each([
    'http://127.0.0.1:1/x',
    'http://localhost/x',
    'https://localhost/x',
    'http://[::1]:1/x',
    'https://127.9.9.9/x',
  ])('is not fetched from this machine: %s', async (url) => {
    await expect(cautiousFetch('https://mcp.example/mcp')(url)).rejects.toThrow('on this machine');
  });

  it.each(['http://issuer.example/x', 'file:///etc/passwd', 'data:,x'])(
    'is not fetched in any other way than https: %s',
    async (url) => {
      const fetching = cautiousFetch('http://127.0.0.1:1/mcp')(url);
      await expect(fetching).rejects.toThrow('neither https nor on this machine');
    },
  );
});
