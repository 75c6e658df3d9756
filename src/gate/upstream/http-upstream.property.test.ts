/** Whatever a server does with requests, in any order: each is settled once, and nothing is told after the end. */
import type { ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { modernRequest, notification, request } from '../../../test/gate/http-fixture.ts';
import { SessionServer } from '../../../test/gate/session-server.ts';
import type { RpcMessage } from '../protocol/frame.ts';

type Behaviour = (message: RpcMessage, response: ServerResponse) => void;

const toText = ({ id }: RpcMessage): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{}}`;
const stream = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream' });

/** By the name of the method that asks for it. */
const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  at_once: (message, response) => void stream(response).end(`data: ${toText(message)}\n\n`),
  late: (message, response) => {
    setTimeout(() => response.end(toText(message)), 30);
  },
  twice: (message, response) => {
    stream(response).end(`data: ${toText(message)}\n\ndata: ${toText(message)}\n\n`);
  },
  for_another: (_, response) => void response.end(toText({ id: 1 })),
  never: () => {},
  nothing: (_, response) => void response.writeHead(202).end(),
  not_json: (_, response) => void response.end('<html>'),
  hangs_up: (_, response) => void response.destroy(),
  half: (message, response) => {
    stream(response).write(`id: 1\nretry: 1\ndata: ${toText(message).slice(0, 9)}`);
    setTimeout(() => response.destroy(), 5);
  },
  busy: (_, response) => void response.writeHead(429, { 'retry-after': '1' }).end(),
  fails: (_, response) => void response.writeHead(500).end('oh'),
  forgets: (_, response) => void response.writeHead(404).end(),
};

describe('a server over HTTP', () => {
  it('settles every request exactly once, in both eras', async () => {
    const step = fc.record({
      method: fc.constantFrom(...Object.keys(BEHAVIOURS)),
      isModern: fc.boolean(),
      isCancelled: fc.boolean(),
      pauseMs: fc.constantFrom(0, 0, 1, 20),
    });
    const run = fc.array(step, { minLength: 1, maxLength: 15 });
    await fc.assert(
      fc.asyncProperty(
        run,
        fc.constantFrom(0, 50, 'until all is settled' as const),
        async (steps, life) => {
          await using server = new SessionServer();
          for (const [method, behave] of Object.entries(BEHAVIOURS)) server.on.set(method, behave);
          const { channel, log } = await server.begin({ timeoutMs: 400, cancelGraceMs: 100 });
          for (const [index, { method, isModern, isCancelled, pauseMs }] of steps.entries()) {
            const id = index + 1;
            const told = log.filter((line) => !line.startsWith('got')).length;
            channel.send(isModern ? modernRequest(method, id) : request(method, id));
            if (isCancelled) channel.send(notification('cancelled', { requestId: id }));
            expect(log.filter((line) => !line.startsWith('got'))).toHaveLength(told);
            if (pauseMs > 0) await wait(pauseMs);
          }
          const settledBefore = (): number => log.filter((line) => line.startsWith('f')).length;
          // A channel may be closed at any time; most settle everything long before.
          const [atLeast, lifeMs] = typeof life === 'number' ? [0, life] : [steps.length, 0];
          await wait(lifeMs);
          await expect
            .poll(settledBefore, { timeout: 5000, interval: 20 })
            .toBeGreaterThanOrEqual(atLeast);
          await channel[Symbol.asyncDispose]();
          const told = log.filter((line) => /^(frame|failed|closed)/.test(line));
          expect(told.at(-1)).toBe('closed');
          const settled = told.slice(0, -1).map((line) => Number(line.split(' ')[1]));
          expect(settled.toSorted((a, b) => a - b)).toEqual(steps.map((_, index) => index + 1));
          await wait(20);
          expect(log.findLast((line) => !line.startsWith('got'))).toBe('closed');
        },
      ),
      { numRuns: 12 },
    );
  });
});
