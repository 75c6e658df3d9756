/** A console in the background ends by itself once nobody needs it, as a real process. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, expect, it, vi } from 'vitest';
import { visitConsole } from '../../scripts/start/console-visitor.ts';
import { keptPlace } from '../../src/console/running-console.ts';
import { openApprovals } from '../../src/gate/approvals/approvals.ts';
import { openLedger } from '../../src/ledger/open-ledger.ts';
import { toTestQuestion } from '../gate/approval-fixture.ts';
import { PLIMSOLL } from '../gate/gate-process.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-idle-'));
const IDLE_MINUTES = 0.02;

afterAll(() => rmSync(folder, { recursive: true }));

it('stays while a question waits, and ends when none does and no page was used', async () => {
  const address = `sqlite:${join(folder, 'ledger.sqlite')}`;
  await using ledger = await openLedger(address);
  const approvals = openApprovals(ledger.store);
  const { id } = await approvals.request(toTestQuestion());
  const env = { ...process.env, HOME: folder, XDG_STATE_HOME: folder };
  const flags = ['--background', '--ledger', address, '--idle-minutes', String(IDLE_MINUTES)];
  const child = spawn(PLIMSOLL, ['console', ...flags], { env, stdio: 'ignore' });
  const ended = once(child, 'exit');
  try {
    await vi.waitFor(
      async () => {
        const place = await keptPlace(join(folder, 'plimsoll'), address);
        expect((await visitConsole(new URL(place.url))).status).toBe(401);
      },
      { timeout: 60_000, interval: 200 },
    );
    await wait(3 * IDLE_MINUTES * 60_000);
    expect(child.exitCode).toBeNull();
    await approvals.withdraw(id, 'cancelled');
    expect(await ended).toEqual([0, null]);
  } finally {
    child.kill('SIGKILL');
  }
}, 120_000);
