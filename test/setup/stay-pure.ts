/** In the pure project nothing is isolated, so a test there must not reach out of its process. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';

const OUTSIDE = {
  'tracing:child_process.spawn:start': 'a process',
  'tracing:net.server.listen:asyncStart': 'a server',
  'net.client.socket': 'a connection',
} as const;

let opened: string[] = [];

const listeners = Object.entries(OUTSIDE).map(
  ([channel, what]) => [channel, () => void opened.push(what)] as const,
);

beforeAll(() => {
  for (const [channel, listener] of listeners) subscribe(channel, listener);
});

afterEach(() => {
  const now = opened;
  opened = [];
  if (now.length > 0)
    throw new Error(`a pure test opened ${now.join(', ')}; see test/setup/projects.ts`);
});

afterAll(() => {
  for (const [channel, listener] of listeners) unsubscribe(channel, listener);
  // Worker and globals are those of the next file.
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});
