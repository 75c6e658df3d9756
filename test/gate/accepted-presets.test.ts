/** Real tools at a gate whose person accepted a preset: what asked runs, a dry run too, and nothing that only looks like one. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PRESETS, toPresetPins } from '../../src/gate/presets/presets.ts';
import type { JsonObject } from '../../src/gate/protocol/frame.ts';
import { listTools } from '../../src/gate/tools/list-tools.ts';
import type { PinEntry } from '../../src/gate/tools/lock.ts';
import { EMPTY_LOCK, withPins, writeLockFile } from '../../src/gate/tools/lock.ts';
import { GateFixture } from './gate-fixture.ts';

const EDIT = { path: 'a.txt', edits: [{ oldText: 'a', newText: 'b' }] };

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-dry-run-'));
const lock = join(folder, 'lock.json');
let edit: JsonObject;
let pins: ReadonlyMap<string, PinEntry>;
let gate: GateFixture;

/** The tools of the real server, and the pins that its preset gives. */
async function list(name: string): Promise<{ tools: readonly JsonObject[]; pins: typeof pins }> {
  const path = import.meta.resolve(`@modelcontextprotocol/server-${name}/dist/index.js`);
  const args = [fileURLToPath(path), folder];
  const source = { kind: 'command', command: process.execPath, args } as const;
  const tools = (await listTools(source)) as readonly JsonObject[]; // they were received as JSON
  const preset = PRESETS.find((one) => one.name === name);
  if (preset === undefined) throw new Error(`no preset ${name}`);
  return { tools, pins: toPresetPins(preset, tools, 'mia', new Date()) };
}

beforeAll(async () => {
  const listed = await list('filesystem');
  edit = listed.tools.find(({ name }) => name === 'edit_file') ?? {};
  ({ pins } = listed);
});
afterEach(() => gate[Symbol.asyncDispose]());
afterAll(() => rmSync(folder, { recursive: true }));

async function open(tool: JsonObject, entries = pins): Promise<void> {
  await writeLockFile(lock, withPins(EMPTY_LOCK, 'shop', entries));
  gate = await GateFixture.open({ tools: [tool], lock });
}

/** What ran, and the receipts. */
async function callWith(more: JsonObject): Promise<readonly [readonly unknown[], unknown]> {
  await gate.call('edit_file', { ...EDIT, ...more });
  return [gate.server.ran, await gate.receipts()];
}

const ASKED = [[], [{ tier: 'destructive', decision: 'waiting' }]];

describe('edit_file of the filesystem server', () => {
  it('runs unasked as a dry run once the preset is accepted', async () => {
    await open(edit);
    const ran = [['edit_file'], [{ tier: 'read', decision: 'ran' }]];
    expect(await callWith({ dryRun: true })).toMatchObject(ran);
  });

  it.each([{}, { dryRun: false }, { dryRun: 'true' }, { dryRun: true, DryRun: false }])(
    'asks with %j',
    async (more) => {
      await open(edit);
      expect(await callWith(more)).toMatchObject(ASKED);
    },
  );

  it('asks where nobody accepted it, whatever it says of itself', async () => {
    await open(edit, new Map());
    expect(await callWith({ dryRun: true })).toMatchObject(ASKED);
  });

  it('asks once its definition is another one, even if no riskier', async () => {
    await open({ ...edit, description: 'Edits a text file.' });
    expect(await callWith({ dryRun: true })).toMatchObject(ASKED);
  });
});

describe('sequentialthinking of the server of that name', () => {
  const thought = { thought: 'x', nextThoughtNeeded: false, thoughtNumber: 1, totalThoughts: 1 };

  it('asks until its preset is accepted, and runs from then on', async () => {
    const { tools, pins: thinking } = await list('sequential-thinking');
    const [tool = {}] = tools;
    await open(tool, new Map());
    await gate.call('sequentialthinking', thought);
    expect(gate.server.ran).toEqual([]);
    await gate[Symbol.asyncDispose]();
    await open(tool, thinking);
    await gate.call('sequentialthinking', thought);
    expect(gate.server.ran).toEqual(['sequentialthinking']);
  });
});
