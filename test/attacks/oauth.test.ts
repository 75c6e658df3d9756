/** Signing in to a server whose authorization server wants more than it should get. */
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { attack } from './attack.ts';
import { HostileIssuer, logInAt } from './hostile-issuer.ts';

it('signs in where nobody lies', async () => {
  await using issuer = await HostileIssuer.open();
  const { code, kept } = await logInAt(issuer.mcpUrl);
  expect(code).toBe(0);
  expect(kept).toContain('good-token');
}, 60_000);

attack('a hostile authorization server', 'has a sign-in run without PKCE', async () => {
  for (const methods of [undefined, [], ['plain']]) {
    const metadata = { code_challenge_methods_supported: methods };
    await using issuer = await HostileIssuer.open({ metadata });
    const { code, said, page } = await logInAt(issuer.mcpUrl);
    expect([code, page]).toEqual([1, undefined]);
    expect(said).toContain('PKCE');
  }
});

attack(
  'a hostile authorization server',
  'sends the person to sign in at an honest one, and gets the code that this one gives',
  async () => {
    await using honest = await HostileIssuer.open();
    await using issuer = await HostileIssuer.open();
    const page = { authorization_endpoint: `${honest.url}/authorize` };
    issuer.lies = { metadata: page };
    const plain = await logInAt(issuer.mcpUrl);
    expect([plain.code, plain.page]).toEqual([1, undefined]);
    expect(plain.said).toContain('nothing shows that it belongs to');
    // Then it claims that the page says who issued the code, and the honest one does or does not.
    const claim = { ...page, authorization_response_iss_parameter_supported: true };
    issuer.lies = { metadata: claim };
    for (const iss of [undefined, honest.url]) {
      const back = { code: 'the-code', state: 'STATE', ...(iss !== undefined && { iss }) };
      honest.lies = { back };
      const { code, kept } = await logInAt(issuer.mcpUrl);
      expect(code).toBe(1);
      expect(kept).not.toContain('good-token');
    }
    expect(issuer.at('/token')).toEqual([]);
  },
);

attack('a hostile authorization server', 'passes itself off as another issuer', async () => {
  await using issuer = await HostileIssuer.open({
    metadata: { issuer: 'https://accounts.example' },
  });
  const { code, page } = await logInAt(issuer.mcpUrl);
  expect([code, page]).toEqual([1, undefined]);
});

attack(
  'a hostile authorization server',
  'passes itself off as another issuer by another spelling of its name',
  async () => {
    await using issuer = await HostileIssuer.open();
    const { url } = issuer;
    const spellings = [url.replace('http', 'HTTP'), `${url}/`, url.replace('127.0.0.1', '127.1')];
    for (const spelling of spellings) {
      issuer.lies = { metadata: { issuer: spelling } };
      const { code, page } = await logInAt(issuer.mcpUrl);
      expect([spelling, code, page]).toEqual([spelling, 1, undefined]);
    }
  },
);

attack(
  'a hostile authorization server',
  'has the code and its verifier sent elsewhere by a redirect or by metadata that changes',
  async () => {
    await using elsewhere = await HostileIssuer.open();
    const there = `${elsewhere.url}/token`;
    await using redirecting = await HostileIssuer.open({ tokenAt: there });
    expect((await logInAt(redirecting.mcpUrl)).code).toBe(1);
    await using changing = await HostileIssuer.open({ laterMetadata: { token_endpoint: there } });
    expect((await logInAt(changing.mcpUrl)).code).toBe(0);
    expect(elsewhere.requests).toEqual([]);
  },
);

attack('a hostile authorization server', 'fills the memory with metadata without end', async () => {
  const metadata = { extra: 'x'.repeat(20_000_000) };
  await using issuer = await HostileIssuer.open({ metadata });
  const { code, said } = await logInAt(issuer.mcpUrl);
  expect(code).toBe(1);
  expect(said).toContain('the answer is too large');
});

attack(
  'a web page on this machine',
  'keeps a sign-in from ending with a connection that it leaves open',
  async () => {
    await using issuer = await HostileIssuer.open();
    let held: Socket | undefined;
    let signedInAt = 0;
    const { code } = await logInAt(issuer.mcpUrl, async (page) => {
      const { port } = new URL(page.searchParams.get('redirect_uri') ?? '');
      held = connect(Number(port), '127.0.0.1').on('error', () => {});
      held.write('GET /callback HTTP/1.1\r\nHost: here\r\n');
      await fetch(page);
      signedInAt = performance.now();
    });
    expect(code).toBe(0);
    expect(performance.now() - signedInAt).toBeLessThan(20_000);
    held?.destroy();
  },
);

attack('a lying server', 'has tokens issued for the server of somebody else', async () => {
  await using issuer = await HostileIssuer.open({
    resource: { resource: 'https://bank.example/mcp' },
  });
  const { code, page, said } = await logInAt(issuer.mcpUrl);
  expect([code, page]).toEqual([1, undefined]);
  expect(said).toContain('https://bank.example/mcp');
});

attack(
  'a lying server',
  'has the gate fetch from another service of this machine by a redirect',
  async () => {
    const heard: string[] = [];
    const service = createServer((request, response) => {
      heard.push(request.url ?? '');
      response.end('{}');
    });
    await new Promise<void>((done) => {
      service.listen(0, '127.0.0.1', done);
    });
    const { port } = service.address() as AddressInfo; // it listens on TCP
    await using issuer = await HostileIssuer.open({
      resourceAt: `http://127.0.0.1:${port}/shutdown`,
    });
    await logInAt(issuer.mcpUrl);
    expect(heard).toEqual([]);
    service.closeAllConnections();
    await new Promise((done) => service.close(done));
  },
);

attack('a hostile authorization server', 'gets the code over plain http', async () => {
  await using issuer = await HostileIssuer.open({
    metadata: { token_endpoint: 'http://tokens.example/token' },
  });
  const { code, said, kept } = await logInAt(issuer.mcpUrl);
  expect(code).toBe(1);
  expect(said).toMatch(/https/);
  expect(kept).not.toContain('the-code');
});

attack(
  'a hostile authorization server',
  'shows a sign-in page whose address looks like that of another',
  async () => {
    await using issuer = await HostileIssuer.open();
    const page = issuer.url.replace('http://', 'http://accounts.google.com@');
    issuer.lies = { metadata: { authorization_endpoint: `${page}/authorize` } };
    const login = await logInAt(issuer.mcpUrl);
    expect([login.code, login.page]).toEqual([1, undefined]);
  },
);

attack(
  'a web page on this machine',
  'puts its own code, or a token in the address, into a sign-in that is under way',
  async () => {
    await using issuer = await HostileIssuer.open();
    const statuses: number[] = [];
    const { code, kept } = await logInAt(issuer.mcpUrl, async (page) => {
      const redirect = page.searchParams.get('redirect_uri') ?? '';
      const state = page.searchParams.get('state') ?? '';
      const forged = [
        'code=forged',
        'code=forged&state=',
        `code=forged&state=${state.slice(1)}`,
        `code=forged&state=${state}&state=x`,
        `code=forged&code=other&state=${state}`,
        `code=forged&state=${state}&iss=${issuer.url}&iss=http://other.example`,
      ];
      for (const query of forged) statuses.push((await fetch(`${redirect}?${query}`)).status);
      statuses.push((await fetch(`${redirect}?access_token=forged&state=${state}`)).status);
    });
    expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 400]);
    expect(code).toBe(1);
    expect(kept).not.toContain('forged');
    expect(issuer.at('/token')).toEqual([]);
  },
);

attack(
  'a hostile authorization server',
  'breaks the gate with a token that no header can hold, has no end or lives for ever',
  async () => {
    const tokens = [
      { access_token: 'one\r\nx-admin: yes', token_type: 'Bearer' },
      { access_token: '', token_type: 'Bearer' },
      { access_token: 'x', token_type: 'mac' },
      `{"access_token":"${'x'.repeat(5_000_000)}","token_type":"Bearer"}`,
    ];
    await using issuer = await HostileIssuer.open();
    for (const token of tokens) {
      issuer.lies = { token };
      const { code, kept, said } = await logInAt(issuer.mcpUrl);
      expect(code).toBe(1);
      expect(kept).not.toContain('access_token');
      expect(said).not.toContain('    at ');
    }
    issuer.lies = { token: { access_token: 'x', token_type: 'Bearer', expires_in: 1e300 } };
    const { code, said } = await logInAt(issuer.mcpUrl);
    expect(code).toBe(0);
    expect(said).toMatch(/valid until 20\d\d-/);
  },
);
