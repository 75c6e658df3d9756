/** Which hints a client sees on the tools of a server, by policy. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import type { Tier } from '../../src/effect/tier.ts';
import type { JsonObject } from '../../src/gate/protocol/frame.ts';
import { EMPTY_LOCK, toPinEntry, withPins, writeLockFile } from '../../src/gate/tools/lock.ts';
import type { GateFixtureOptions } from './gate-fixture.ts';
import { GateFixture } from './gate-fixture.ts';
import { toTool } from './recording-server.ts';

const DELETE = toTool('delete_note', 'Deletes a note for good.', ['id']);
const UPDATE = toTool('update_note', 'Updates a note.', ['id', 'text']);
const READ = toTool('get_note', 'Reads a note.', ['id']);
const TAME = { readOnlyHint: true, destructiveHint: false, idempotentHint: true };

const folder = mkdtempSync(join(tmpdir(), 'plimsoll-hints-'));
const ERAS = ['legacy', 'modern'] as const;
let gate: GateFixture;
let files = 0;

afterEach(() => gate[Symbol.asyncDispose]());
afterAll(() => rmSync(folder, { recursive: true }));

async function list(): Promise<readonly JsonObject[]> {
  const { result } = (await gate.request('tools/list')) as { result: { tools: JsonObject[] } };
  return result.tools;
}

async function shown(tool: JsonObject, options: Partial<GateFixtureOptions>): Promise<unknown> {
  gate = await GateFixture.open({ tools: [tool], ...options });
  const [first] = await list();
  return first?.['annotations'];
}

async function pin(tool: JsonObject, tier?: Tier): Promise<string> {
  files += 1;
  const file = join(folder, `lock${files}.json`);
  const name = tool['name'] as string; // every tool of the test has one
  const accepted = toPinEntry(tool, { by: 'mia', at: new Date(), ...(tier && { tier }) });
  await writeLockFile(file, withPins(EMPTY_LOCK, 'shop', new Map([[name, accepted]])));
  return file;
}

describe.each(ERAS)('to a %s client', (era) => {
  it('passes the hints as they are by default, byte for byte', async () => {
    const tool = { ...DELETE, annotations: { title: 'Tidy', ...TAME } };
    gate = await GateFixture.open({ tools: [tool], era });
    await gate.request('tools/list');
    expect(gate.lines.at(-1)).toContain(JSON.stringify(tool));
  });

  it('raises what the gate takes for graver, and leaves all else', async () => {
    const tool = { ...DELETE, annotations: { title: 'Tidy', ...TAME }, 'x-size': 1e21 };
    gate = await GateFixture.open({ tools: [tool, READ], era, policy: { hints: 'raise' } });
    expect(await list()).toEqual([
      {
        ...tool,
        annotations: {
          title: 'Tidy',
          readOnlyHint: false,
          destructiveHint: true,
          idempotentHint: true,
        },
      },
      READ,
    ]);
  });

  it('raises in answers that it kept, too', async () => {
    const tools = [{ ...DELETE, annotations: TAME }];
    const lists = { result: { tools, ttlMs: 600_000 } };
    gate = await GateFixture.open({ tools, lists, era, policy: { hints: 'raise' } });
    const first = await list();
    expect(await list()).toEqual(first);
    expect(gate.server.count('tools/list')).toBe(1);
    expect(first).toMatchObject([{ annotations: { readOnlyHint: false, destructiveHint: true } }]);
  });
});

describe('raised', () => {
  const policy = { hints: 'raise' } as const;

  it('a claim that is no boolean is written as the gate knows it', async () => {
    const hints = { readOnlyHint: 'true', destructiveHint: null };
    expect(await shown({ ...DELETE, annotations: hints }, { policy })).toEqual({
      readOnlyHint: false,
      destructiveHint: true,
    });
  });

  it('nothing is added where the server says nothing, since that is the gravest', async () => {
    expect(await shown(DELETE, { policy })).toBeUndefined();
    await gate[Symbol.asyncDispose]();
    expect(await shown({ ...DELETE, annotations: null }, { policy })).toBeNull();
  });

  it('an ordinary change may call itself not destructive, but not read-only', async () => {
    const said = { readOnlyHint: false, destructiveHint: false };
    expect(await shown({ ...UPDATE, annotations: said }, { policy })).toEqual(said);
    await gate[Symbol.asyncDispose]();
    expect(await shown({ ...UPDATE, annotations: TAME }, { policy })).toMatchObject({
      readOnlyHint: false,
      destructiveHint: false,
    });
  });

  it('a trusted server keeps its word', async () => {
    const said = { ...DELETE, annotations: { readOnlyHint: true } };
    expect(await shown(said, { policy, trusted: true })).toEqual({ readOnlyHint: true });
  });
});

describe('pinned', () => {
  const policy = { hints: 'pinned' } as const;

  it('a tier that a person stated becomes hints, in both directions', async () => {
    const wipe = toTool('wipe_cache', 'Wipes the cache.', []);
    const lock = await pin(wipe, 'read');
    expect(await shown(wipe, { policy, lock })).toMatchObject({ readOnlyHint: true });
    await gate[Symbol.asyncDispose]();
    const tame = { ...READ, annotations: { readOnlyHint: true } };
    const grave = await pin(tame, 'destructive');
    expect(await shown(tame, { policy, lock: grave })).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
    });
  });

  it('without a stated tier it is what was accepted, raised', async () => {
    const said = { ...DELETE, annotations: { readOnlyHint: true, openWorldHint: false } };
    const lock = await pin(said);
    expect(await shown(said, { policy, lock })).toMatchObject({
      readOnlyHint: false,
      destructiveHint: true,
    });
  });

  it('a tool that got riskier than its pin is shown as the gate takes it', async () => {
    const before = { ...READ, annotations: { readOnlyHint: true } };
    const lock = await pin(before, 'read');
    const now = { ...DELETE, name: 'get_note', annotations: { readOnlyHint: true } };
    expect(await shown(now, { policy, lock })).toMatchObject({ readOnlyHint: false });
  });

  it('a tool without a pin is raised', async () => {
    const said = { ...DELETE, annotations: TAME };
    expect(await shown(said, { policy })).toMatchObject({ readOnlyHint: false });
  });
});
