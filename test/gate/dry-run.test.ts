/** A dry run of a tool that a person accepted with a preset runs unasked; anything else that looks like one asks. */
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

const SERVER = fileURLToPath(
  import.meta.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'),
);
const EDIT = { path: 'a.txt', edits: [{ oldText: 'a', newText: 'b' }] };

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-dry-run-'));
const lock = join(folder, 'lock.json');
let edit: JsonObject;
let pins: ReadonlyMap<string, PinEntry>;
let gate: GateFixture;

beforeAll(async () => {
  const source = { kind: 'command', command: process.execPath, args: [SERVER, folder] } as const;
  const tools = (await listTools(source)) as readonly JsonObject[]; // they were received as JSON
  const preset = PRESETS.find(({ name }) => name === 'filesystem');
  edit = tools.find(({ name }) => name === 'edit_file') ?? {};
  pins = preset === undefined ? new Map() : toPresetPins(preset, tools, 'mia', new Date());
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
