import { describe, expect, it } from 'vitest';
import { serverEnvironment } from './server-environment.ts';

describe('the environment of a server', () => {
  it('has what programs need, and no other variable', () => {
    const needed = { PATH: '/bin', HOME: '/home/mia', LANG: 'C', TMPDIR: '/tmp' };
    const others = { PLIMSOLL_LEDGER_KEY: 'a', GITHUB_TOKEN: 'b', NODE_OPTIONS: '--import=x' };
    expect(serverEnvironment({ ...needed, ...others, USER: undefined })).toEqual(needed);
  });

  it('has a proxy, unless a password is in it', () => {
    const plain = { https_proxy: 'http://proxy.example:3128', NO_PROXY: 'localhost' };
    const secret = { HTTP_PROXY: 'http://mia:secret@proxy.example:3128' };
    expect(serverEnvironment({ ...plain, ...secret })).toEqual(plain);
    expect(serverEnvironment(secret, {}, { HTTP_PROXY: 'HTTP_PROXY' })).toEqual(secret);
  });

  it('has its own variables before those that are needed, and those passed by name before both', () => {
    const environment = { PATH: '/bin', GATE_TOKEN: 'secret', GATE_PATH: '/opt' };
    expect(serverEnvironment(environment, { PATH: '/usr/bin', TOKEN: 'x' })).toEqual({
      PATH: '/usr/bin',
      TOKEN: 'x',
    });
    const passed = { TOKEN: 'GATE_TOKEN', PATH: 'GATE_PATH', MISSING: 'GATE_MISSING' };
    expect(serverEnvironment(environment, { TOKEN: 'x' }, passed)).toEqual({
      PATH: '/opt',
      TOKEN: 'secret',
    });
  });
});
