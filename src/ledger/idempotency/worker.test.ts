import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { describe, expect, it } from 'vitest';
import { isProvenDead, newOwner } from './worker.ts';

const [HERE] = newOwner().split('/');

describe('isProvenDead', () => {
  it('never says so of a process that lives', () => {
    expect(isProvenDead(newOwner())).toBe(false);
  });

  it('says so of one that has ended, also when its number is in use again', async () => {
    const child = spawn(process.execPath, ['-e', '0']);
    const { pid } = child;
    await once(child, 'exit');
    expect(isProvenDead(`${HERE}/${pid}/1/x`)).toBe(true);
    expect(isProvenDead(`${HERE}/${process.pid}/1/x`)).toBe(true);
  });

  it('cannot tell of another machine, or of a name it cannot read', () => {
    expect(isProvenDead('elsewhere/1/1/x')).toBe(false);
    expect(isProvenDead(`${hostname()} pid:[1]/${process.pid}/1/x`)).toBe(false);
    expect(isProvenDead('')).toBe(false);
    expect(isProvenDead(`${HERE}/-1/1/x`)).toBe(false);
  });

  it('gives each arrival a name of its own', () => {
    expect(newOwner()).not.toBe(newOwner());
  });
});
