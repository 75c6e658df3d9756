import { createSecretKey } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo, Server } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { askPort, dropPort, keptPlace } from './running-console.ts';

const KEY = createSecretKey(Buffer.alloc(32));

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-place-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the port of a console', () => {
  it('is dropped by whoever found a stranger at it, and not again by who found the same later', async () => {
    const { port } = await keptPlace(folder, 'sqlite:a');
    dropPort(folder, 'sqlite:a', port);
    const moved = await keptPlace(folder, 'sqlite:a');
    if (moved.port === port) return; // the same by chance
    dropPort(folder, 'sqlite:a', port);
    expect((await keptPlace(folder, 'sqlite:a')).port).toBe(moved.port);
  });

  it.each([
    ['says nothing', '', 'silent'],
    ['does not speak HTTP', 'SSH-2.0-x\r\n', 'stranger'],
    ['is something else', 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nhi', 'stranger'],
  ])('tells that what listens there %s', async (_, says, found) => {
    await using server: Server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', () => {
        if (says !== '') socket.end(says);
      });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // bound to TCP
    expect(await askPort(port, KEY)).toBe(found);
  });
});
