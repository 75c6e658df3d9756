import { execFileSync } from 'node:child_process';
import { describe, expect, it, vi } from 'vitest';
import { ShortLivedMap } from './short-lived-map.ts';

const MODULE = new URL('./short-lived-map.ts', import.meta.url).href;

describe('ShortLivedMap', () => {
  it('does what a map does, whatever comes and goes', () => {
    const [own, plain] = [new ShortLivedMap<number, string>(), new Map<number, string>()];
    let [state, deleted] = [1, 0];
    for (let step = 0; step < 20_000; step += 1) {
      state = (state * 48_271) % 2_147_483_647;
      const key = (state >> 8) % 600;
      // More come than go, and then the other way round.
      const isSet = (state >> 20) % 8 < (step % 4000 < 2000 ? 5 : 3);
      const change = (map: typeof own | typeof plain): unknown =>
        isSet ? void map.set(key, `${step}`) : map.delete(key);
      const changed = change(plain);
      if (changed === true) deleted += 1;
      expect(change(own)).toBe(changed);
      const [last] = own.keys().slice(-1);
      expect([own.size, last]).toEqual([plain.size, [...plain.keys()].at(-1)]);
    }
    expect(deleted).toBeGreaterThan(4000);
    expect(own.size).toBe(plain.size);
    expect(own.keys()).toEqual([...plain.keys()]);
    expect(own.values()).toEqual([...plain.values()]);
    for (let key = 0; key < 600; key += 1) {
      expect([own.has(key), own.get(key)]).toEqual([plain.has(key), plain.get(key)]);
    }
    own.clear();
    expect([own.size, own.keys(), own.has(1)]).toEqual([0, [], false]);
  });

  it('copies no more entries than were deleted', () => {
    const map = new ShortLivedMap<number, number>();
    for (let key = 0; key < 10_000; key += 1) map.set(key, key);
    const copied = countCopies(() => {
      for (let key = 0; key < 9000; key += 1) map.delete(key);
    });
    expect(copied).toBeLessThanOrEqual(9000);
    expect(map.size).toBe(1000);
  });

  it('lists what there is now: what comes and goes meanwhile is not seen', () => {
    const map = new ShortLivedMap<number, number>();
    for (let key = 0; key < 1000; key += 1) map.set(key, key);
    const seen: number[] = [];
    for (const key of map.keys()) {
      seen.push(key);
      map.delete(key);
      map.set(1000 + key, key);
    }
    expect(seen).toHaveLength(1000);
    expect(map.keys().slice(0, 2)).toEqual([1000, 1001]);
  });

  it('keeps nothing that has left it in memory until the next full collection, as a map does', () => {
    expect(megabytesLeftBy('new Map()')).toBeGreaterThan(5);
    expect(megabytesLeftBy('new ShortLivedMap()')).toBeLessThan(2);
  });
});

/** How many entries are put into new maps meanwhile. */
function countCopies(act: () => void): number {
  let count = 0;
  const plain = globalThis.Map;
  vi.stubGlobal(
    'Map',
    class<K, V> extends plain<K, V> {
      constructor(entries: Iterable<readonly [K, V]> = []) {
        super(entries);
        count += this.size;
      }
    },
  );
  act();
  vi.unstubAllGlobals();
  return count;
}

/** What 64 calls at a time, 20,000 in all, leave behind after the young generation was collected. */
function megabytesLeftBy(map: string): number {
  const script = `
    import { ShortLivedMap } from ${JSON.stringify(MODULE)};
    const map = ${map};
    for (let id = 0; id < 64; id += 1) map.set(id, []);
    gc();
    gc();
    const before = process.memoryUsage().heapUsed;
    for (let id = 64; id < 20_064; id += 1) {
      map.set(id, new Array(100).fill(id));
      map.delete(id - 64);
    }
    gc({ type: 'minor' });
    gc({ type: 'minor' });
    console.log((process.memoryUsage().heapUsed - before) / 2 ** 20);`;
  const flags = ['--expose-gc', '--initial-old-space-size=256', '--input-type=module'];
  return Number(execFileSync(process.execPath, [...flags, '-e', script], { encoding: 'utf8' }));
}
