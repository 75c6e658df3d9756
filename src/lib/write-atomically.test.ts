import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeAtomically } from './write-atomically.ts';

let folder = '';
let file = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'plimsoll-write-'));
  file = join(folder, 'a.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('writeAtomically', () => {
  it.each([0o600, 0o644, 0o666])('makes a file with mode %o, whatever the mask', async (mode) => {
    await writeAtomically(file, 'text', mode);
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual(['text', mode]);
    expect(readdirSync(folder)).toEqual(['a.json']);
  });

  it('replaces a file by a new one, so that one who has it open keeps the old text', async () => {
    writeFileSync(file, 'old');
    const before = statSync(file).ino;
    await writeAtomically(file, new Uint8Array(3_000_000).fill(65), 0o600);
    expect(statSync(file)).toMatchObject({ size: 3_000_000 });
    expect(statSync(file).ino).not.toBe(before);
  });

  it('keeps a link and replaces the file behind it', async () => {
    const link = join(folder, 'link');
    writeFileSync(file, 'old');
    symlinkSync('a.json', link);
    await writeAtomically(link, 'new', 0o600);
    expect([lstatSync(link).isSymbolicLink(), readFileSync(file, 'utf8')]).toEqual([true, 'new']);
  });

  it('makes the file again where it is deleted meanwhile', async () => {
    for (let time = 0; time < 200; time += 1) {
      writeFileSync(file, 'old');
      const writing = writeAtomically(file, 'text', 0o600);
      rmSync(file);
      await writing;
    }
    expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['text', ['a.json']]);
  });

  it('leaves nothing behind when it fails', async () => {
    mkdirSync(file);
    await expect(writeAtomically(file, 'text', 0o600)).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
    expect(readdirSync(folder)).toEqual(['a.json']);
    await expect(writeAtomically(join(folder, 'none', 'b'), 'x', 0o600)).rejects.toThrow('ENOENT');
  });

  it('ends with the whole text of one of many writers', async () => {
    const texts = Array.from({ length: 20 }, (_, index) => String(index).repeat(50_000));
    await Promise.all(texts.map(async (text) => writeAtomically(file, text, 0o600)));
    expect(texts).toContain(readFileSync(file, 'utf8'));
    expect(readdirSync(folder)).toEqual(['a.json']);
  });
});
