/** A person edits the policy of a running gate, a real process: it takes it up, unless it has errors. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { toPolicy } from '../../src/gate/policy/to-policy.ts';
import { openPolicyReload } from '../../src/gate/reload-policy.ts';
import { GateFixture } from './gate-fixture.ts';
import { PLIMSOLL } from './gate-process.ts';
import { problemIn, toText, toTool } from './recording-server.ts';

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-reload-'));
afterAll(() => rmSync(folder, { recursive: true }));

const SERVER = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-memory/dist/index.js'),
);
const DENY = 'rules: [{ name: none, match: { tool: read_graph }, then: deny }]\n';
const ALLOW = 'rules: [{ name: all, match: { tool: read_graph }, then: allow }]\n';

class EditedGate implements AsyncDisposable {
  errors = '';
  readonly #child;
  readonly #answers = new Map<unknown, string>();
  #serial = 0;

  constructor(args: readonly string[], name: string) {
    const env = { ...process.env, MEMORY_FILE_PATH: join(folder, `${name}.json`) };
    const ledger = `sqlite:${join(folder, `${name}.db`)}`;
    const all = ['gate', '--ledger', ledger, ...args];
    this.#child = spawn(PLIMSOLL, all, { stdio: ['pipe', 'pipe', 'pipe'], env });
    this.#child.stderr.on('data', (chunk: Buffer) => (this.errors += chunk.toString('utf8')));
    createInterface({ input: this.#child.stdout }).on('line', (line) => {
      this.#answers.set((JSON.parse(line) as { id?: unknown }).id, line);
    });
  }

  async request(method: string, params: object): Promise<string> {
    this.#serial += 1;
    const id = this.#serial;
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    await vi.waitUntil(() => this.#answers.has(id), { timeout: 15_000 });
    return this.#answers.get(id) ?? '';
  }

  async begin(): Promise<void> {
    const clientInfo = { name: 'test', version: '1' };
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
    await this.request('initialize', params);
    this.#child.stdin.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  }

  read(name = 'read_graph'): Promise<string> {
    return this.request('tools/call', { name, arguments: {} });
  }

  hangUp(): void {
    this.#child.kill('SIGHUP');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const exit = once(this.#child, 'exit');
    this.#child.stdin.end();
    await exit;
  }
}

describe('the policy of a running gate', { timeout: 60_000 }, () => {
  it('is taken up when its file changes; with an error in it, the one before stays', async () => {
    const file = join(folder, 'policy.yaml');
    writeFileSync(file, DENY);
    await using gate = new EditedGate(['--policy', file, '--', process.execPath, SERVER], 'file');
    await gate.begin();
    expect(await gate.read()).toContain('denied-by-policy');
    writeFileSync(file, ALLOW);
    await expect.poll(() => gate.errors, { timeout: 10_000 }).toContain('the policy was reloaded');
    expect(await gate.read()).toContain('entities');
    writeFileSync(file, 'rules: [{ name: broken, then: perhaps }]\n');
    gate.hangUp();
    await expect.poll(() => gate.errors, { timeout: 10_000 }).toContain('was not reloaded');
    expect(gate.errors).toContain('policy.yaml:1');
    expect(await gate.read()).toContain('entities');
  });

  it('is taken up on SIGHUP, also from the file that a configuration names', async () => {
    const file = join(folder, 'rules.yaml');
    const config = join(folder, 'plimsoll.yaml');
    writeFileSync(file, DENY);
    const mcpServers = { memory: { command: process.execPath, args: [SERVER] } };
    writeFileSync(config, JSON.stringify({ mcpServers, policy: 'rules.yaml' }));
    await using gate = new EditedGate(['--config', config], 'config');
    await gate.begin();
    expect(await gate.read('memory__read_graph')).toContain('denied-by-policy');
    writeFileSync(file, ALLOW);
    gate.hangUp();
    await expect.poll(() => gate.errors, { timeout: 10_000 }).toContain('the policy was reloaded');
    expect(await gate.read('memory__read_graph')).toContain('entities');
  });

  it('decides again about a call that has its yes under the one before', async () => {
    await using gate = await GateFixture.open({
      tools: [toTool('delete_note', 'Deletes a note for good.', ['id'])],
      policy: { asking: { holdSeconds: 20 } },
    });
    const held = gate.call('delete_note', { id: '1' });
    await expect.poll(() => gate.services.approvals.listPending()).toHaveLength(1);
    // oxlint-disable-next-line unicorn/no-thenable -- a key of the policy; its value is a word
    gate.services.usePolicy(toPolicy({ rules: [{ name: 'none', then: 'deny' }] }));
    await gate.answer();
    expect(problemIn(await held)).toMatchObject({ code: 'denied-by-policy' });
    expect(gate.server.ran).toEqual([]);
    expect(await gate.receipts()).toMatchObject([{ decision: 'refused', rule: 'none' }]);
  });

  it('does not stop a call that was sent under the one before', async () => {
    await using gate = await GateFixture.open({
      tools: [
        toTool('add_note', 'Adds a note.', ['text'], { annotations: { destructiveHint: false } }),
      ],
      run: () => 'silence',
    });
    const sent = gate.call('add_note', { text: 'a' });
    await expect.poll(() => gate.server.ran).toEqual(['add_note']);
    // oxlint-disable-next-line unicorn/no-thenable -- a key of the policy; its value is a word
    gate.services.usePolicy(toPolicy({ rules: [{ name: 'none', then: 'deny' }] }));
    gate.server.answer('add_note', toText('add_note ran'));
    expect(await sent).toMatchObject({ result: toText('add_note ran') });
  });

  it('withdraws the questions that were asked under the one before, and decides on the calls again', async () => {
    await using gate = await GateFixture.open({
      tools: [toTool('delete_note', 'Deletes a note for good.', ['id'])],
      policy: { asking: { holdSeconds: 20 } },
    });
    const file = join(folder, 'watched.yaml');
    writeFileSync(file, '');
    const said: string[] = [];
    using _ = openPolicyReload({
      services: gate.services,
      load: async () => toPolicy({ mode: 'sandbox', asking: { holdSeconds: 20 } }),
      files: [file],
      report: (message) => said.push(message),
    });
    const held = gate.call('delete_note', { id: '1' });
    await expect.poll(() => gate.services.approvals.listPending()).toHaveLength(1);
    const [before] = await gate.services.approvals.listPending();
    process.emit('SIGHUP', 'SIGHUP');
    const isOther = async (): Promise<boolean> => {
      const [now] = await gate.services.approvals.listPending();
      return now !== undefined && now.id !== before?.id;
    };
    await expect.poll(isOther).toBe(true);
    expect(await gate.services.approvals.find(before?.id ?? '')).toMatchObject({
      state: 'WITHDRAWN',
      reason: 'policy-reloaded',
    });
    await gate.answer();
    expect(await held).toMatchObject({ result: toText('delete_note ran') });
    const [now, ...others] = await gate.receipts();
    expect(now).toMatchObject({ decision: 'ran' });
    expect(others).toEqual([]);
    expect(said).toContainEqual(
      expect.stringContaining('restart the gate for changes of the mode'),
    );
  });
});
