/** Webhooks leave the server: signed, and never for an address inside a network. */
import { createServer } from 'node:http';
import { Agent } from 'node:https';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { postOut, refuseUrl } from './outbound.ts';
import { sign, verifySignature } from './signature.ts';

describe('addresses', () => {
  it.each([
    'http://example.com/',
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://user:pass@example.com/',
    'ftp://example.com/',
    'nonsense',
  ])('%s is refused before anything is sent', (url) => {
    expect(refuseUrl(url, {})).toBeDefined();
  });
});

describe('posting', () => {
  it('refuses a name that leads inside, after it was resolved', async () => {
    // The name is public in form only: it resolves to this machine.
    expect(await postOut('https://localhost:1/', '{}', {})).toEqual({
      error: 'the address is inside a network',
    });
  });

  it('sends nothing on a connection that leads inside, whatever the address said', async () => {
    const heard: Buffer[] = [];
    const server = createTcpServer((socket) => {
      socket.on('data', (chunk: Buffer) => heard.push(chunk)).on('error', () => {});
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    // The address is public and no name is resolved; only the connection itself ends on this machine.
    const agent = new Agent();
    const connect = agent.createConnection.bind(agent);
    agent.createConnection = (options, done) =>
      connect({ ...options, host: '127.0.0.1', port }, done);
    expect(await postOut('https://1.1.1.1/', '{"secret":1}', {}, { agent })).toEqual({
      error: 'the address is inside a network',
    });
    server.close();
    expect(Buffer.concat(heard).toString('latin1')).not.toContain('secret');
  });

  it('gives up on a receiver that answers one byte at a time', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {});
      const timer = setInterval(() => socket.write('H'), 50);
      socket.once('close', () => clearInterval(timer));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const options = { allowLoopback: true, timeoutMs: 300 };
    const posted = await postOut(`http://127.0.0.1:${port}/`, '{}', {}, options);
    server.close();
    expect(posted).toHaveProperty('error');
  });

  it('does not read an answer without end', async () => {
    const server = createServer((_, response) => {
      const timer = setInterval(() => response.write('x'), 10);
      response.once('close', () => clearInterval(timer));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const options = { allowLoopback: true };
    expect(await postOut(`http://127.0.0.1:${port}/`, '{}', {}, options)).toEqual({ status: 200 });
    // It closes only once the connection is gone.
    await new Promise((resolve) => server.close(resolve));
  });

  it('follows no redirect', async () => {
    const server = createServer((_, response) =>
      response.writeHead(307, { location: 'http://169.254.169.254/' }).end(),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}/`;
    expect(await postOut(url, '{}', {})).toEqual({ error: 'It must be https.' });
    expect(await postOut(url, '{}', {}, { allowLoopback: true })).toEqual({ status: 307 });
    server.close();
  });
});

describe('signatures', () => {
  const at = new Date('2026-07-01T09:00:00Z');
  const header = sign('whsec_a', '{"a":1}', at);

  it('are accepted for their body, secret and time only', () => {
    expect(verifySignature('whsec_a', header, '{"a":1}', at)).toBe(true);
    expect(verifySignature('whsec_a', header, '{"a":2}', at)).toBe(false);
    expect(verifySignature('whsec_b', header, '{"a":1}', at)).toBe(false);
    const later = new Date(at.getTime() + 301_000);
    expect(verifySignature('whsec_a', header, '{"a":1}', later)).toBe(false);
    expect(verifySignature('whsec_a', 'nonsense', '{"a":1}', at)).toBe(false);
  });
});
