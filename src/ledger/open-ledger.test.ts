import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openLedger, openStore } from './open-ledger.ts';

describe('the address of a ledger', () => {
  it.each(['sqlite:', 'sqlite:  '])('names a file: "%s"', async (address) => {
    const before = readdirSync('.');
    await expect(openLedger(address)).rejects.toThrow('names no file; write sqlite:FILE');
    await expect(openLedger(address, { key: Buffer.alloc(32) })).rejects.toThrow('names no file');
    await expect(openStore(address)).rejects.toThrow('names no file');
    expect(readdirSync('.')).toEqual(before);
  });

  it.each(['sqlite:file:', 'sqlite:file:x?mode=memory', 'sqlite:file::memory:'])(
    'names a file and no URI, which could be a database in memory: "%s"',
    async (address) => {
      const before = readdirSync('.');
      await expect(openLedger(address)).rejects.toThrow('names a URI and not a file');
      await expect(openStore(address)).rejects.toThrow('names a URI and not a file');
      expect(readdirSync('.')).toEqual(before);
    },
  );

  it.each(['', 'ledger.sqlite', 'mysql://db'])('is of a known kind: "%s"', async (address) => {
    await expect(openLedger(address)).rejects.toThrow('is not a ledger');
    await expect(openStore(address)).rejects.toThrow('is not a ledger');
  });
});
