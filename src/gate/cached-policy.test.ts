/** Policies that were read before: when the kept one is used, and when the text is read again. */
import {
  chmodSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { cachedPolicy } from './cached-policy.ts';
import type { Policy } from './policy/policy.ts';
import { readPolicy } from './policy/read-policy.ts';

let scratch = '';
let reads = 0;

beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'plimsoll-cached-'));
  vi.stubEnv('XDG_STATE_HOME', scratch);
  reads = 0;
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(scratch, { recursive: true });
});

const TEXT = `mode: sandbox
rules:
  - { name: pay, match: { tool: [pay, "kauf*"] }, when: 'args.amount < 5', then: allow }
budgets: [{ name: day, counts: calls, limit: 5, per: day }]
servers: { shop: { trusted: true } }
`;

function load(text = TEXT, name = '/etc/policy.yaml', reader = 'reader 1'): Promise<Policy> {
  const read = async (): Promise<Policy> => {
    reads += 1;
    const reading = readPolicy(text);
    if (reading.kind === 'faults') throw new Error(reading.faults[0]?.detail);
    return reading.policy;
  };
  return cachedPolicy({ name, text, reader, read });
}

function keptFile(): string {
  const folder = join(scratch, 'plimsoll/policies');
  const [file = '', ...others] = readdirSync(folder);
  expect(others).toEqual([]);
  return join(folder, file);
}

describe('a policy that was read before', () => {
  it('is the same, frozen, and is not read again', async () => {
    const first = await load();
    const second = await load();
    expect(reads).toBe(1);
    expect(second).toEqual(first);
    const parts = [second, second.rules, second.rules[0]?.match?.tool, second.servers['shop']];
    expect(parts.every((part) => Object.isFrozen(part))).toBe(true);
  });

  it('is kept where only the user can read and write, one for each file', async () => {
    await load();
    await load('mode: live');
    expect(statSync(keptFile()).mode & 0o777).toBe(0o600);
    expect(statSync(join(scratch, 'plimsoll/policies')).mode & 0o777).toBe(0o700);
  });

  it.each([
    ['another text', () => load(`${TEXT}# changed\n`)],
    ['another reader', () => load(TEXT, '/etc/policy.yaml', 'reader 2')],
    ['another file', () => load(TEXT, '/elsewhere/policy.yaml')],
  ])('is read again for %s', async (_, loadOther) => {
    await load();
    await loadOther();
    expect(reads).toBe(2);
  });

  it('is read again when its file names another version, which its content does not have', async () => {
    const { version } = await load();
    const kept = readFileSync(keptFile(), 'utf8');
    writeFileSync(keptFile(), kept.replace('"then":"allow"', '"then":"deny"'));
    expect((await load()).version).toBe(version);
    expect(reads).toBe(2);
  });

  it.each(['', '{', 'null', '[]', '{"key":1}', '\u{0}'])(
    'is read again when its file holds %j',
    async (content) => {
      const policy = await load();
      writeFileSync(keptFile(), content);
      expect(await load()).toEqual(policy);
      expect(reads).toBe(2);
    },
  );

  it('is read again when others can write its file', async () => {
    await load();
    chmodSync(keptFile(), 0o620);
    await load();
    expect(reads).toBe(2);
    expect(statSync(keptFile()).mode & 0o777).toBe(0o600);
  });

  it('is read again when its file is a link, which is replaced and not followed', async () => {
    await load();
    const elsewhere = join(scratch, 'elsewhere.json');
    const file = keptFile();
    renameSync(file, elsewhere);
    symlinkSync(elsewhere, file);
    const before = readFileSync(elsewhere, 'utf8');
    await load();
    expect(reads).toBe(2);
    expect(lstatSync(file).isFile()).toBe(true);
    expect(readFileSync(elsewhere, 'utf8')).toBe(before);
  });
});

describe('without a cache', () => {
  it('a policy with an error is reported each time and never kept', async () => {
    await expect(load('mode: lve')).rejects.toThrow('must be one of');
    await expect(load('mode: lve')).rejects.toThrow('must be one of');
    expect(reads).toBe(2);
    expect(readdirSync(scratch)).toEqual([]);
  });

  it('a state folder that cannot be written to does not stop a gate', async () => {
    writeFileSync(join(scratch, 'plimsoll'), 'a file where the folder should be');
    expect((await load()).mode).toBe('sandbox');
    expect((await load()).mode).toBe('sandbox');
    expect(reads).toBe(2);
  });
});
