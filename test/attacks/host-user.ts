/** A person who wraps the configuration of a host, in a home folder of their own. */
import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import type { Ran } from '../gate/gate-process.ts';
import { PLIMSOLL } from '../gate/gate-process.ts';

export function wrapAsUser(home: string, file: string): Promise<Ran> {
  return runAsUser(home, dirname(file), ['wrap', file, '--yes', '--gate-command', PLIMSOLL]);
}

export function unwrapAsUser(home: string, file: string): Promise<Ran> {
  return runAsUser(home, dirname(file), ['unwrap', file]);
}

function runAsUser(home: string, cwd: string, args: readonly string[]): Promise<Ran> {
  const env = { ...process.env, HOME: home, XDG_STATE_HOME: join(home, '.local/state') };
  return new Promise((done) => {
    const child = execFile(PLIMSOLL, args, { cwd, env }, (_, stdout, stderr) =>
      done({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}
