import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keptConsoleName } from './console-name.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-name-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('the name of the consoles of a user', () => {
  it('is made once, by whoever is first, and others cannot read it', async () => {
    const state = join(folder, 'state');
    const names = await Promise.all(Array.from({ length: 8 }, () => keptConsoleName(state)));
    expect(new Set(names).size).toBe(1);
    expect(names[0]).toMatch(/^plimsoll-[\da-f]{32}$/);
    expect(await keptConsoleName(state)).toBe(names[0]);
    expect(readdirSync(state)).toEqual(['console-name']);
    expect(statSync(state).mode & 0o777).toBe(0o700);
    expect(statSync(join(state, 'console-name')).mode & 0o777).toBe(0o600);
  });

  it.each(['', 'localhost', 'plimsoll-1', 'evil.example/plimsoll'])(
    'is not taken from a file with %j',
    async (content) => {
      writeFileSync(join(folder, 'console-name'), content);
      await expect(keptConsoleName(folder)).rejects.toThrow('holds no console name');
    },
  );
});
