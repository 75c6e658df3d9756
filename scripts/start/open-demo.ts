/**
 * The gate with its console in front of the reference servers, as a separate process with its own
 * ledger and pins: used by `npm start`, its check, the screenshots and the browser tests.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { EMPTY_LOCK, writeLockFile } from '../../src/gate/tools/lock.ts';

const COMMAND: string = fileURLToPath(new URL('../../bin/plimsoll', import.meta.url));

export const CONFIG: string = fileURLToPath(
  new URL('../../examples/plimsoll.yaml', import.meta.url),
);

export interface DemoInit {
  /** The folder of the ledger and the pins. */
  readonly folder: string;
  readonly config?: string;
  readonly http?: string;
  readonly console?: string;
  readonly flags?: readonly string[];
  /** Receives the gate's standard error. */
  readonly tell?: (text: string) => void;
}

export interface Demo extends AsyncDisposable {
  readonly mcpUrl: URL;
  /** Works for one sign-in. */
  readonly link: URL;
  readonly ledger: string;
  readonly ended: Promise<unknown>;
}

const ANYWHERE = '127.0.0.1:0';
const MCP_LINE = /^plimsoll gate: (http:\S+\/mcp)$/m;
const LINK = /http:\/\/\S+\/enter\S+(?=\n)/;
const PATIENCE_MS = 20_000;

export async function openDemo(init: DemoInit): Promise<Demo> {
  const { config = CONFIG, http = ANYWHERE, console: address = ANYWHERE, flags = [] } = init;
  const { ledger, lock } = toPaths(init.folder);
  if (!existsSync(lock)) await writeLockFile(lock, EMPTY_LOCK);
  const own = ['--config', config, '--ledger', ledger, '--lock', lock];
  const places = ['--http', http, '--console', address, '--as', 'reef-survey'];
  const gate = spawn(COMMAND, ['gate', ...own, ...places, ...flags], {
    stdio: ['ignore', 'inherit', 'pipe'],
    env: { ...process.env, PLIMSOLL_UNATTENDED: '1' }, // its own console is enough, and nobody is called away
  });
  const ended = once(gate, 'exit');
  let said = '';
  const up = new Promise<Pick<Demo, 'mcpUrl' | 'link'>>((resolve, reject) => {
    gate.stderr.setEncoding('utf8').on('data', (text: string) => {
      init.tell?.(text);
      said += text;
      const mcp = MCP_LINE.exec(said)?.[1];
      const link = LINK.exec(said)?.[0];
      if (mcp !== undefined && link !== undefined) {
        resolve({ mcpUrl: new URL(mcp), link: new URL(link) });
      }
    });
    void ended.then(() => reject(new Error(`the gate did not start: ${said}`)));
  });
  const limit = setTimeout(() => gate.kill(), PATIENCE_MS);
  const addresses = await up;
  clearTimeout(limit);
  return {
    ...addresses,
    ledger,
    ended,
    [Symbol.asyncDispose]: async () => {
      gate.kill();
      await ended;
    },
  };
}

export function toPaths(folder: string): { readonly ledger: string; readonly lock: string } {
  return {
    ledger: `sqlite:${join(folder, 'ledger.sqlite')}`,
    lock: join(folder, 'plimsoll.lock.json'),
  };
}
