/** The shop as it is started: by the command line, on files, with a processor of its own. */
import type { ChildProcess } from 'node:child_process';
import { execFile, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = new URL('../..', import.meta.url).pathname;
const PLIMSOLL = join(ROOT, 'bin', 'plimsoll');
const FOLDER = 'examples/imagery';
let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'imagery-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

interface Running {
  readonly url: string;
  readonly child: ChildProcess;
}

async function start(): Promise<Running> {
  const args = ['serve', FOLDER, '--as', 'mara', '--tenant', 'org_reef', '--grant', '*'];
  const child = spawn(PLIMSOLL, [...args, '--token', 'secret-of-mara'], {
    cwd: ROOT,
    env: { ...process.env, IMAGERY_DB: join(folder, 'shop.db') },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.once('exit', () => reject(new Error(`ended early: ${text}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      const address = /http:\/\/127\.0\.0\.1:\d+/.exec(text)?.[0];
      if (address !== undefined) resolve(address);
    });
  });
  return { url, child };
}

async function stop({ child }: Running, signal: 'SIGTERM' | 'SIGKILL'): Promise<void> {
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await ended;
}

async function call({ url }: Running, name: string, args: object, key = randomUUID()) {
  const response = await fetch(`${url}/op/${name}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      authorization: 'Bearer secret-of-mara',
      'idempotency-key': key,
    },
    body: JSON.stringify(args),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

describe('plimsoll serve examples/imagery', () => {
  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'keeps money and keys through %s, and starts its processor by itself',
    async (signal) => {
      const key = randomUUID();
      const first = await start();
      const before = await call(first, 'billing.credits.balance', {});
      const bought = await call(first, 'billing.topup', { credits: 500 }, key);
      expect(bought.status).toBe(200);
      await stop(first, signal);
      const second = await start();
      try {
        expect(await call(second, 'billing.topup', { credits: 500 }, key)).toEqual(bought);
        const after = await call(second, 'billing.credits.balance', {});
        expect(after.body['available']).toBe(Number(before.body['available']) + 500);
      } finally {
        await stop(second, 'SIGTERM');
      }
    },
  );
});

describe('the README', () => {
  it('has the tables of tools as they are', async () => {
    const args = ['docs', FOLDER, '--check', `${FOLDER}/README.md`];
    const run = promisify(execFile)(PLIMSOLL, args, { cwd: ROOT });
    await expect(run).resolves.toMatchObject({ stderr: '' });
  });
});
