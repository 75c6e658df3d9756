import { afterEach, describe, expect, it, vi } from 'vitest';
import { SessionTable } from './session-table.ts';

interface Opened extends AsyncDisposable {
  isBusy: boolean;
}

let table: SessionTable<Opened>;

afterEach(async () => {
  vi.useRealTimers();
  await table[Symbol.asyncDispose]();
});

async function open(key: string, owner: string, isBusy = false): Promise<void> {
  await table.add(key, owner, async () => ({ isBusy, [Symbol.asyncDispose]: async () => {} }));
}

describe('the session table', () => {
  it('refuses a caller who has too many, and says so differently from being full', async () => {
    table = new SessionTable({ idleMs: 1e6, limit: 3, ownerLimit: 2, report: () => {} });
    await open('1', 'a');
    await open('2', 'a');
    expect(table.findRoom('a')).toMatchObject({ status: 429, retryAfter: 30 });
    expect(table.findRoom('b')).toBeUndefined();
    await open('3', 'b');
    expect(table.findRoom('b')).toMatchObject({ status: 503, retryAfter: 30 });
  });

  it('lets what a caller has not used for a minute give way, and never what is in use', async () => {
    vi.useFakeTimers();
    table = new SessionTable({ idleMs: 1e6, limit: 9, ownerLimit: 2, report: () => {} });
    await open('1', 'a', true);
    await open('2', 'a');
    expect(table.findRoom('a')?.status).toBe(429);
    vi.advanceTimersByTime(61_000);
    expect(table.findRoom('a')).toBeUndefined();
    expect([table.find('1', 'a'), table.find('2', 'a')]).toEqual([expect.anything(), undefined]);
  });

  it('counts the time without use from when a session was last busy', async () => {
    vi.useFakeTimers();
    table = new SessionTable({ idleMs: 100_000, limit: 9, report: () => {} });
    const session = {
      isBusy: true,
      [Symbol.asyncDispose]: vi.fn<() => Promise<void>>(async () => {}),
    };
    await table.add('1', 'a', async () => session);
    vi.advanceTimersByTime(490_000);
    session.isBusy = false;
    vi.advanceTimersByTime(60_000);
    expect(session[Symbol.asyncDispose]).not.toHaveBeenCalled();
    vi.advanceTimersByTime(60_000);
    expect(session[Symbol.asyncDispose]).toHaveBeenCalledOnce();
  });

  it('lets go soon of what a client has left without ending it', async () => {
    vi.useFakeTimers();
    table = new SessionTable({ idleMs: 1e6, limit: 9, ownerLimit: 2, report: () => {} });
    const left = { isBusy: false, leftAt: Date.now(), [Symbol.asyncDispose]: async () => {} };
    await table.add('1', 'a', async () => left);
    await open('2', 'a');
    expect(table.findRoom('a')?.status).toBe(429);
    vi.advanceTimersByTime(2001);
    expect(table.findRoom('a')).toBeUndefined();
    expect([table.find('1', 'a'), table.find('2', 'a')]).toEqual([undefined, expect.anything()]);
  });

  it('counts what is being opened and closed', async () => {
    table = new SessionTable({ idleMs: 1e6, limit: 1, report: () => {} });
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = { isBusy: false, [Symbol.asyncDispose]: () => promise };
    const opening = table.add('1', 'a', async () => slow);
    expect(table.findRoom('b')?.status).toBe(503);
    await opening;
    const closing = table.close('1');
    expect(table.findRoom('b')?.status).toBe(503);
    resolve();
    await closing;
    expect(table.findRoom('b')).toBeUndefined();
  });
});
