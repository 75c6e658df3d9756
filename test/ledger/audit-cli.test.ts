/** `plimsoll audit` and `plimsoll ledger` as people use them: real processes on a ledger in a file. */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { OpenLedger, Operation, PlimsollServer } from 'plimsoll/server';
import {
  createServer,
  creates,
  defineOperation,
  delivers,
  epd,
  openLedger,
  reads,
  spends,
  stamp,
} from 'plimsoll/server';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import { runMain } from '../support/run-main.ts';
import { toCanonicalJson } from '../../src/lib/canonical-json.ts';
import type { JsonValue } from '../../src/lib/json-value.ts';
import { verifyInclusion } from '../../src/lib/merkle.ts';
import { decodeOutcome } from '../../src/ledger/idempotency/outcome.ts';
import { defaultLedgerAddress } from '../../src/ledger/default-address.ts';
import { newOwner } from '../../src/ledger/idempotency/worker.ts';
import { keyRecordRow } from '../contract/store.contract.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-audit-cli-'));
const file = join(folder, 'ledger.sqlite');
const checkpointFile = join(folder, 'checkpoints.txt');
const address = `sqlite:${file}`;

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function plimsoll(...args: readonly string[]): Promise<Ran> {
  return new Promise((done) => {
    execFile(resolve('bin/plimsoll'), args, { timeout: 60_000 }, (error, stdout, stderr) => {
      done({ code: error === null ? 0 : Number(error.code ?? 1), stdout, stderr });
    });
  });
}

const input = z.object({ text: z.string().describe('What') });
const define = (name: string, effect: Operation['effect'], run: () => unknown): Operation =>
  defineOperation({ name, title: `Try ${name}`, description: `Does ${name}.`, input, effect, run });

const OPERATIONS = [
  define('read_note', reads('note'), () => undefined),
  define('create_note', creates('note'), () => undefined),
  define('search_web', reads('page', { reach: 'third-party' }), () => undefined),
  define('post_hook', delivers('hook', { reach: 'user-url' }), () => {
    throw new Error('nobody there');
  }),
  define('pay', spends('EUR cents', { reach: 'third-party' }), () => {
    throw new Error('the line broke');
  }),
];

async function call(server: PlimsollServer, name: string, args: unknown, key?: string) {
  const operation = server.operations.get(name);
  if (operation === undefined) throw new Error(`no ${name}`);
  return server.invoke({
    operation,
    args,
    identity: { kind: 'known', principal: { id: 'mia', tenant: 'acme', scopes: [] } },
    via: 'in-process',
    signal: new AbortController().signal,
    progress: async () => {},
    keys: [key],
  });
}

function serverOn(ledger: OpenLedger): PlimsollServer {
  const report = () => {};
  return createServer({
    name: 's',
    version: '1',
    convention: epd,
    operations: OPERATIONS,
    ledger,
    report,
  });
}

/** Every call that was made, by operation; some were refused and some failed. */
const made: string[] = [];

beforeAll(async () => {
  await using ledger = await openLedger(address, { checkpointFile });
  const server = serverOn(ledger);
  for (let round = 0; round < 4; round += 1) {
    for (const { name } of OPERATIONS) {
      const args = round === 2 ? { wrong: true } : { text: `${name} ${round}` };
      await call(server, name, args, name === 'pay' ? `key-of-the-payment-${round}` : undefined);
      made.push(name);
      // Receipts of reads are kept behind the call; here they shall be in order.
      await ledger.flush();
    }
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

interface Shown {
  readonly operation: string;
  readonly outcome: string;
  readonly seq: number;
}

async function list(...flags: readonly string[]): Promise<readonly Shown[]> {
  const { stdout } = await runMain(['audit', 'list', '--ledger', address, '--json', ...flags]);
  return JSON.parse(stdout) as Shown[];
}

describe('plimsoll audit', () => {
  it('R155: list has every call, refused and failed ones too', async () => {
    const shown = await list();
    expect(shown.map(({ operation }) => operation).toReversed()).toEqual(made);
    expect(new Set(shown.map(({ outcome }) => outcome))).toEqual(
      new Set(['success', 'invalid-input', 'internal-error', 'outcome-doubtful']),
    );
  });

  it('R151: list --open-world has all calls of tools with openWorldHint, and no other', async () => {
    const isOpen = new Map(
      OPERATIONS.map((each) => [each.name, stamp(each, epd).annotations.openWorldHint]),
    );
    const open = made.filter((name) => isOpen.get(name));
    expect(open).toHaveLength(12);
    const shown = await list('--open-world');
    expect(shown.map(({ operation }) => operation).toReversed()).toEqual(open);
  });

  it.each([
    [['--operation', 'pay'], 4],
    [['--tier', 'external_spend'], 4],
    [['--tier', 'spends'], 4],
    [['--server', 'shop'], 0],
    [['--tier', 'read', '--open-world'], 4],
    [['--principal', 'mia'], 20],
    [['--principal', 'eve'], 0],
    [['--outcome', 'invalid-input'], 5],
    [['--limit', '3'], 3],
    [['--since', '1h'], 20],
    [['--since', '2999-01-01'], 0],
  ])('list narrows by %j', async (flags, count) => {
    expect(await list(...flags)).toHaveLength(count);
  });

  it('list shows a line for each, with nothing in it that moves a cursor', async () => {
    const { stdout } = await plimsoll('audit', 'list', '--ledger', address, '--operation', 'pay');
    const [head, ...lines] = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(4);
    expect(head?.trim().split(/ +/)).toEqual(
      'number time tier server operation caller decision outcome'.split(' '),
    );
    // Each name stands above its column.
    expect(lines[0]?.indexOf('external_spend')).toBe(head?.indexOf('tier'));
    expect(lines[0]?.indexOf('mia@acme')).toBe(head?.indexOf('caller'));
    expect(stdout).toMatch(
      /19 {2}\S+Z {2}external_spend {2}- +pay +mia@acme +ran +outcome-\w+ {2}\(open world\)/,
    );
  });

  it('show proves that the receipt is in the log, to whoever has the key only', async () => {
    const { code, stdout } = await plimsoll('audit', 'show', '7', '--ledger', address, '--json');
    expect(code).toBe(0);
    const { receipt, inclusion } = JSON.parse(stdout) as {
      readonly receipt: JsonValue;
      readonly inclusion: {
        readonly size: number;
        readonly proof: string[];
        readonly checkpoint: string;
      };
    };
    const leafHash = createHash('sha256')
      .update(`\0${toCanonicalJson(receipt)}`)
      .digest();
    const [, size, root] = inclusion.checkpoint.split('\n');
    const toBytes = (text: string | undefined) => Buffer.from(text ?? '', 'base64');
    expect(
      verifyInclusion({
        index: 7,
        size: Number(size),
        leafHash,
        root: toBytes(root),
        proof: inclusion.proof.map(toBytes),
      }),
    ).toBe(true);
    const text = await plimsoll('audit', 'show', '7', '--ledger', address);
    expect(text.stdout).toContain('Receipt 7 is in the signed log of 20 receipts');
  });

  it('verify says that all is well, and with which key others can see for themselves', async () => {
    const flags = ['--ledger', address, '--checkpoints', checkpointFile];
    const { code, stdout } = await plimsoll('audit', 'verify', ...flags);
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^ok: 20 receipts, 20 of them/)]);
    const key = /verifier key: (\S+)/.exec(stdout)?.[1] ?? '';
    expect((await plimsoll('audit', 'verify', ...flags, '--key', key)).code).toBe(0);
    const other = await plimsoll('audit', 'verify', ...flags, '--key', key.replace('/', '/0'));
    expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('not a verifier key')]);
  });

  it('verify does not take a ledger without any checkpoint for a tampered one', async () => {
    const young = `sqlite:${join(folder, 'young.sqlite')}`;
    const verify = (...flags: readonly string[]) =>
      plimsoll('audit', 'verify', '--ledger', young, ...flags);
    await using ledger = await openLedger(young);
    expect(await verify()).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^empty: 0 rec/),
    });
    const server = serverOn(ledger);
    for (const text of ['one', 'two']) await call(server, 'create_note', { text });
    const { code, stdout } = await verify();
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^not signed yet: 2 receipts/)]);
    expect(stdout).toContain('No signature covers receipts 0 to 1 yet');
    expect(JSON.parse((await verify('--json')).stdout)).toMatchObject({
      findings: [],
      unsigned: { first: 0, last: 1 },
    });
    await ledger.checkpoint();
    await call(server, 'create_note', { text: 'three' });
    const later = await verify();
    expect([later.code, later.stdout]).toEqual([
      0,
      expect.stringMatching(/^ok: 3 receipts, 2 of them .*\nNo signature covers receipt 2 yet/),
    ]);
  });

  it('export gives the signed bytes as JSON Lines, and OCSF with fingerprints', async () => {
    const rows = (await plimsoll('audit', 'export', '--ledger', address)).stdout
      .trimEnd()
      .split('\n');
    expect(rows).toHaveLength(20);
    const database = new DatabaseSync(file, { readOnly: true });
    const leaves = database.prepare('SELECT leaf FROM receipts ORDER BY seq').all();
    database.close();
    const hashes = rows.map((row) => createHash('sha256').update(`\0${row}`).digest('hex'));
    expect(hashes).toEqual(leaves.map(({ leaf }) => leaf));

    const { stdout } = await plimsoll('audit', 'export', '--ledger', address, '--format', 'ocsf');
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as JsonValue);
    expect(events).toHaveLength(20);
    expect(events[0]).toMatchObject({
      class_uid: 6003,
      type_uid: 600_302,
      status_id: 1,
      metadata: { version: '1.9.0', profiles: ['record_integrity'], sequence: 0 },
      actor: { user: { uid: 'mia', org: { uid: 'acme' } } },
      api: { operation: 'read_note' },
    });
    for (const event of events as { readonly attestation_list: JsonValue[] }[]) {
      const [attestation] = event.attestation_list as Record<string, JsonValue>[];
      const { fingerprint, ...rest } = attestation ?? {};
      const bare = toCanonicalJson({ ...event, attestation_list: [rest] });
      const value = createHash('sha256').update(bare).digest('hex');
      expect(fingerprint).toMatchObject({ algorithm_id: 3, value });
    }
  });

  it('R152: tail --open-world --follow shows a call to third parties as it happens', async () => {
    const flags = ['--ledger', address, '--follow', '--open-world', '--json', '--lines', '1'];
    const child = spawn(resolve('bin/plimsoll'), ['audit', 'tail', ...flags]);
    child.stdout.setEncoding('utf8');
    let shown = '';
    child.stdout.on('data', (text: string) => (shown += text));
    const lines = () => shown.split('\n').filter((line) => line !== '');
    await expect.poll(() => lines().length, { timeout: 10_000 }).toBe(1);
    {
      await using ledger = await openLedger(address, { checkpointFile });
      const server = serverOn(ledger);
      await call(server, 'read_note', { text: 'inside' });
      await call(server, 'search_web', { text: 'outside' });
    }
    await expect.poll(() => lines().length, { timeout: 10_000 }).toBe(2);
    expect(JSON.parse(lines()[1] ?? '')).toMatchObject({ operation: 'search_web', seq: 21 });
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGINT');
    expect(await ended).toBe(0);
  });

  it.each([
    [['audit', 'lst'], 'Did you mean list?'],
    [['audit', 'list', '--ledger', 'sqlite:/nowhere/x'], 'there is no ledger at /nowhere/x'],
    [['audit', 'list', '--ledger', 'x'], '"x" is not a ledger'],
    [['audit', 'list', '--ledger', address, '--tier', 'x'], 'Allowed choices are read'],
    [['audit', 'list', '--ledger', address, '--since', 'x'], 'must be a date'],
    [['audit', 'list', '--ledger', address, '--limit', '0'], 'a whole number above zero'],
    [['audit', 'show', '99', '--ledger', address], 'there is no receipt 99'],
    [['audit', 'verify', '--ledger', address, '--checkpoints', 'x'], 'x does not exist'],
    [['ledger', 'resolve', 'x', '--as', 'executed', '--ledger', address], "'--reason <text>'"],
  ])('refuses %j', async (args, message) => {
    const { code, stdout, stderr } = await plimsoll(...args);
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(message)]);
  });
});

describe('plimsoll ledger', () => {
  async function unknown(): Promise<
    readonly { readonly id: string; readonly operation: string }[]
  > {
    const { stdout } = await plimsoll('ledger', 'unknown', '--ledger', address, '--json');
    return JSON.parse(stdout) as { id: string; operation: string }[];
  }

  it('lists what is unknown, and resolves it for good, on the record', async () => {
    const before = await unknown();
    expect(before).toHaveLength(3);
    expect(before[0]).toMatchObject({
      operation: 'pay',
      principal: 'mia',
      keyHint: expect.stringMatching(/^\w{8}$/),
    });
    const ids = before.map(({ id }) => id);
    const listed = await plimsoll('ledger', 'unknown', '--ledger', address);
    for (const id of ids) {
      expect(listed.stdout).toContain(
        `  next: plimsoll ledger resolve ${id.slice(0, 12)} --as executed|not-executed --reason "…" --ledger '${address}'\n`,
      );
    }
    const said = (as: string) => ['--as', as, '--reason', 'looked it up', '--by', 'ops@acme'];
    const resolving = (id: string, ...flags: readonly string[]) =>
      plimsoll('ledger', 'resolve', id, '--ledger', address, ...flags);
    const result = ['--result', '{"charge":"ch_1"}'];
    expect(await resolving(ids[0] ?? '', ...said('executed'), ...result)).toMatchObject({
      code: 0,
    });
    const short = ids[1]?.slice(0, 6).toUpperCase() ?? '';
    const second = await resolving(short, ...said('not-executed'), '--json');
    expect([second.code, JSON.parse(second.stdout)]).toEqual([
      0,
      expect.objectContaining({ id: ids[1], operation: 'pay', state: 'FAILED_FINAL' }),
    ]);
    expect(await resolving(ids[1] ?? '', ...said('executed'))).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('is not unknown but FAILED_FINAL'),
    });
    expect(await resolving('f00', ...said('executed'))).toMatchObject({ code: 2 });
    expect(await unknown()).toHaveLength(1);

    expect(await list('--operation', 'ledger.resolve')).toMatchObject([
      { principal: 'ops@acme', keyRecord: ids[1], tenant: 'acme' },
      { principal: 'ops@acme', keyRecord: ids[0] },
    ]);
    await using ledger = await openLedger(address, { checkpointFile });
    const row = await ledger.store.transaction((tx) =>
      tx.find('key_records', { id: ids[0] ?? '' }),
    );
    expect(JSON.parse(row?.evidence ?? '')).toMatchObject([
      { kind: 'resolved-by-hand', as: 'executed', reason: 'looked it up', by: 'ops@acme' },
    ]);
    const server = serverOn(ledger);
    const again = (round: number) =>
      call(server, 'pay', { text: `pay ${round}` }, `key-of-the-payment-${round}`);
    expect(await again(0)).toMatchObject({
      kind: 'success',
      value: { charge: 'ch_1' },
      replayed: true,
    });
    expect(await again(1)).toMatchObject({ problem: { code: 'not-executed' }, replayed: true });
  });

  it('lists a call whose process was killed, though nothing has swept since, and gives it an answer', async () => {
    const id = 'a-call-cut-short';
    await using ledger = await openLedger(address, { checkpointFile });
    const owner = `${newOwner().split('/')[0]}/${process.pid}/1/x`;
    const lease_until = Date.now() + 60_000;
    await ledger.store.transaction((tx) =>
      tx.insert('key_records', keyRecordRow({ id, state: 'DISPATCHED', owner, lease_until })),
    );
    expect(await unknown()).toContainEqual(expect.objectContaining({ id, operation: 'op' }));
    const flags = ['--as', 'executed', '--reason', 'seen', '--ledger', address];
    await plimsoll('ledger', 'resolve', id, ...flags, '--result', '{"order":"o-1"}');
    const row = await ledger.store.transaction((tx) => tx.find('key_records', { id }));
    expect(decodeOutcome(row?.outcome ?? '')).toEqual({
      kind: 'success',
      value: { order: 'o-1' },
    });
  });

  it('resolve asks for more characters when an id is not unique, among unknown calls only', async () => {
    await using ledger = await openLedger(address, { checkpointFile });
    const expires_at = Date.now() + 3_600_000;
    const rows = [
      keyRecordRow({ id: `feedface1${'0'.repeat(55)}`, state: 'UNKNOWN' }),
      keyRecordRow({ id: `feedface2${'0'.repeat(55)}`, state: 'UNKNOWN' }),
      keyRecordRow({ id: `feedface23${'0'.repeat(54)}`, state: 'SUCCEEDED', expires_at }),
    ];
    await ledger.store.transaction((tx) => tx.insertAll('key_records', rows));
    const resolving = (id: string) =>
      plimsoll(
        'ledger',
        'resolve',
        id,
        '--as',
        'not-executed',
        '--reason',
        'x',
        '--ledger',
        address,
      );
    const several = await resolving('feedface');
    expect(several).toMatchObject({ code: 2, stdout: '' });
    expect(several.stderr).toContain('feedface matches 2 calls; enter more characters');
    for (const { id } of rows.slice(0, 2)) expect(several.stderr).toContain(id);
    for (const id of ['feedf', 'feedface3', '%', 'feed____'])
      expect((await resolving(id)).stderr).toContain(`there is no key record ${id}`);
    expect((await resolving('feedface23')).stderr).toContain('is not unknown but SUCCEEDED');
    expect(await resolving('feedface2')).toMatchObject({ code: 0 });
    expect(await resolving('feedface')).toMatchObject({ code: 0 });
  });

  it('has the same default as the gate: the ledger of this user', async () => {
    vi.stubEnv('XDG_STATE_HOME', join(folder, 'state'));
    try {
      const none = await plimsoll('audit', 'list');
      expect([none.code, none.stderr]).toEqual([
        2,
        expect.stringContaining(`there is no ledger at ${folder}/state/plimsoll/ledger.sqlite`),
      ]);
      {
        await using ledger = await openLedger(defaultLedgerAddress());
        await call(serverOn(ledger), 'create_note', { text: 'mine' });
        await call(serverOn(ledger), 'pay', { text: 'mine' }, 'key-of-my-own-payment');
      }
      const shown = JSON.parse((await plimsoll('audit', 'list', '--json')).stdout) as Shown[];
      expect(shown.map(({ operation }) => operation)).toEqual(['pay', 'create_note']);
      expect((await plimsoll('audit', 'show', '0')).stdout).toContain('signed log of 2 receipts');
      expect((await plimsoll('audit', 'verify')).stdout).toMatch(/^ok: 2 receipts/);
      expect((await plimsoll('audit', 'export')).stdout.trimEnd().split('\n')).toHaveLength(2);
      const { stdout } = await plimsoll('ledger', 'unknown');
      expect(stdout).toMatch(/ {2}next: plimsoll ledger resolve [\da-f]{12} .* --reason "…"\n$/);
      expect(await plimsoll('ledger', 'sweep', '--json')).toMatchObject({
        stdout: '{"changed":0}\n',
      });
    } finally {
      vi.unstubAllEnvs();
    }
  });

  it('sweeps once', async () => {
    expect(await plimsoll('ledger', 'sweep', '--ledger', address)).toEqual({
      code: 0,
      stdout: '0 key records changed state\n',
      stderr: '',
    });
  });
});

describe('plimsoll audit verify, at last', () => {
  it('finds what was done to the file, and tells in one line each', async () => {
    const flags = ['--ledger', address, '--checkpoints', checkpointFile];
    expect((await plimsoll('audit', 'verify', ...flags)).code).toBe(0);
    const database = new DatabaseSync(file);
    database.exec(`UPDATE receipt_index SET principal = 'eve' WHERE seq = 3`);
    database.exec('DELETE FROM receipt_log WHERE seq = 5');
    database.close();
    const { code, stdout } = await plimsoll('audit', 'verify', ...flags);
    expect(code).toBe(1);
    expect(stdout).toContain(
      'body-mismatch at 3: Receipt 3 does not match its body in principal.\n' +
        'gap at 5: Receipts 5 to 5 are missing.\n',
    );
    expect(stdout).toContain('TAMPERED');
    const shown = await plimsoll('audit', 'show', '4', '--ledger', address);
    expect([shown.code, shown.stdout]).toEqual([1, expect.stringContaining('NOT PROVED')]);
    expect(readFileSync(checkpointFile, 'utf8')).toContain('— plimsoll/');
  });
});
