/**
 * What a person does after a crash run, with the commands that people have: lists what is unknown, settles
 * some of it as it really was, sends those calls again, and verifies the log.
 */
import { execFile } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';
import { countRows } from './gate-audit.ts';
import type { GateSetting } from './gate-client.ts';
import { GateClient, MAIN, NODE_FLAGS } from './gate-client.ts';
import type { SentCall } from './sent-call.ts';
import { newSpend, settle } from './sent-call.ts';

type Resolved = 'executed' | 'not-executed';

export interface Handwork {
  /** How many calls were settled on a person's word. */
  readonly resolved: Readonly<Record<Resolved, number>>;
  readonly faults: readonly string[];
}

const AT_MOST = 6;
const PATIENCE_MS = 30_000;
const POLL_MS = 50;

/**
 * Two spends that are cut off for certain, one before its effect and one after it, so that there is always
 * something of either kind to resolve.
 */
export async function cutOffTwo(setting: GateSetting): Promise<readonly SentCall[]> {
  const scenes = [
    { call: newSpend('before-b5000-a0'), table: 'arrivals' },
    { call: newSpend('after-b0-a5000'), table: 'effects' },
  ] as const;
  for (const { call, table } of scenes) {
    const { item } = call.args;
    await using client = new GateClient(setting);
    const settled = settle(call, client, setting.disturbances);
    const isThere = (): boolean => countRows(setting.folder, table).has(item);
    for (let waited = 0; !isThere(); waited += POLL_MS) {
      if (waited > PATIENCE_MS) throw new Error(`${item} did not arrive`);
      await wait(POLL_MS);
    }
    client.kill('server', 'gate');
    await settled;
  }
  return scenes.map(({ call }) => call);
}

export async function resolveByHand(
  calls: readonly SentCall[],
  setting: GateSetting,
): Promise<Handwork> {
  const plimsoll = (...args: readonly string[]) =>
    run([...args, '--ledger', setting.ledger], setting.env);
  const faults: string[] = [];
  const resolved = { executed: 0, 'not-executed': 0 };
  const unknown = calls.filter(({ kind, end }) => kind === 'spend' && end === 'unknown');
  const list = JSON.parse((await plimsoll('ledger', 'unknown', '--json')).stdout) as Listed;
  const listed = new Set(list.map(({ id }) => id));
  for (const call of unknown) {
    if (listed.has(referenceOf(call))) continue;
    faults.push(`${call.args.item} is unknown, and plimsoll ledger unknown does not list it`);
  }
  await using client = new GateClient(setting);
  // The newest: of the two that were cut off for certain, one is of either kind.
  for (const call of unknown.slice(-AT_MOST)) {
    const { item } = call.args;
    const as = countRows(setting.folder, 'effects').has(item) ? 'executed' : 'not-executed';
    const flags = ['--as', as, '--reason', 'the orders were counted'];
    const { code, stderr } = await plimsoll('ledger', 'resolve', referenceOf(call), ...flags);
    if (code !== 0) faults.push(`${item} could not be resolved: ${stderr}`);
    const again = newSpend(item);
    await settle(again, client, setting.disturbances);
    const [answer] = again.answers;
    const happened = countRows(setting.folder, 'effects').get(item);
    const isRight = answer?.code === 'success' && answer.text !== '';
    // What is known to have happened is told, and what did not happen is run now.
    if (!isRight || answer.replayed !== (as === 'executed') || happened !== 1) {
      faults.push(`${item} resolved as ${as}: ${JSON.stringify(answer)}, ${happened} effects`);
    }
    resolved[as] += 1;
  }
  const verified = await plimsoll('audit', 'verify');
  if (verified.code !== 0) faults.push(`plimsoll audit verify: ${verified.stdout}`);
  return { resolved, faults };
}

type Listed = readonly { readonly id: string }[];

/** The key record that the client was told to ask about. */
function referenceOf({ answers }: SentCall): string {
  return answers.at(-1)?.reference ?? '';
}

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

function run(args: readonly string[], env: Readonly<Record<string, string>>): Promise<Ran> {
  return new Promise((done) => {
    const options = { env: { ...process.env, ...env }, maxBuffer: 1e8 };
    const child = execFile(
      process.execPath,
      [...NODE_FLAGS, MAIN, ...args],
      options,
      (_, stdout, stderr) => done({ code: child.exitCode ?? -1, stdout, stderr }),
    );
  });
}
