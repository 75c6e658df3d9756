/**
 * The catalogue for clients that know nothing of annotations: one of the first revision of the protocol,
 * and one whose lists have been stripped of everything that annotations added. One suite for all.
 */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLIMSOLL } from '../../test/gate/gate-process.ts';

const SERVE = ['serve', 'examples/catalog', '--stdio', '--as', 'mia', '--grant', 'qr:write'];
const GTIN = '09506000134352';

type Json = Record<string, unknown>;

/** What a tool had before there were annotations. */
const FIRST_MEMBERS = ['name', 'description', 'inputSchema'];

/** A client as small as they come: lines out, lines in. */
class LineClient {
  readonly #child: ChildProcess;
  readonly #waiting = new Map<number, (answer: Json) => void>();
  #serial = 0;

  constructor() {
    this.#child = spawn(PLIMSOLL, SERVE, { stdio: ['pipe', 'pipe', 'ignore'] });
    if (this.#child.stdout === null) throw new Error('the server has no output');
    createInterface(this.#child.stdout).on('line', (line) => {
      const answer = JSON.parse(line) as Json;
      this.#waiting.get(Number(answer['id']))?.(answer);
    });
  }

  request(method: string, params: Json = {}): Promise<Json> {
    this.#serial += 1;
    const id = this.#serial;
    return new Promise((resolve) => {
      this.#waiting.set(id, resolve);
      this.#child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    });
  }

  async close(): Promise<void> {
    const gone = new Promise((resolve) => this.#child.once('exit', resolve));
    this.#child.stdin?.end();
    await gone;
  }
}

describe.each([
  { who: 'a client of 2024-11-05', version: '2024-11-05', strips: false },
  { who: 'a client of 2024-11-05, stripped', version: '2024-11-05', strips: true },
  { who: 'a client of 2025-11-25', version: '2025-11-25', strips: false },
  { who: 'a client of 2025-11-25, stripped', version: '2025-11-25', strips: true },
])('$who', ({ version, strips }) => {
  let client: LineClient;
  let tools: readonly Json[];
  let agreed: string;

  beforeAll(async () => {
    client = new LineClient();
    const hello = await client.request('initialize', {
      protocolVersion: version,
      capabilities: {},
      clientInfo: { name: 'old', version: '1' },
    });
    ({ protocolVersion: agreed } = hello['result'] as { protocolVersion: string });
    const { tools: listed } = (await client.request('tools/list'))['result'] as { tools: Json[] };
    tools = strips
      ? listed.map((tool) =>
          Object.fromEntries(Object.entries(tool).filter(([key]) => FIRST_MEMBERS.includes(key))),
        )
      : listed;
  });

  afterAll(() => client.close());

  /** With arguments that the listed schema asks for, as a client without the docs would. */
  const call = async (name: string, given: Json) => {
    const tool = tools.find((each) => each['name'] === name);
    const { properties = {}, required = [] } = (tool?.['inputSchema'] ?? {}) as {
      properties?: Json;
      required?: readonly string[];
    };
    expect(required.every((key) => key in given)).toBe(true);
    expect(Object.keys(given).every((key) => key in properties)).toBe(true);
    return (await client.request('tools/call', { name, arguments: given }))['result'];
  };

  it('R44 R172: finds every tool, with what tools have always had', () => {
    expect(agreed).toBe(version);
    expect(tools.map(({ name }) => name)).toEqual([
      'ping',
      'validate_gtin',
      'resolve_gtin',
      'lookup_product',
      'generate_qr_url',
    ]);
    for (const tool of tools) {
      expect(tool).toMatchObject({
        description: expect.any(String),
        inputSchema: { type: 'object' },
      });
      expect('annotations' in tool).toBe(!strips);
    }
  });

  it('R44 R172: gets from each tool what it always got', async () => {
    expect(await call('ping', {})).toMatchObject({ content: [{ type: 'text', text: 'pong' }] });
    for (const [name, args, text] of [
      ['validate_gtin', { gtin: '614141-12345-2' }, '"normalized":"00614141123452"'],
      ['resolve_gtin', { gtin: GTIN }, '"scope":"product"'],
      ['lookup_product', { gtin: GTIN }, '"product_name"'],
      ['generate_qr_url', { gtin: GTIN, lot: 'A-1' }, `/01/${GTIN}/10/A-1`],
    ] as const) {
      const result = await call(name, args);
      expect(result).toMatchObject({
        content: [{ type: 'text', text: expect.stringContaining(text) }],
      });
      expect(result).not.toMatchObject({ isError: true });
    }
  });

  it('R44 R172: is refused what it always was', async () => {
    for (const name of ['resolve_gtin', 'lookup_product', 'generate_qr_url']) {
      expect(await call(name, { gtin: 'ABC' })).toMatchObject({ isError: true });
      expect(await call(name, { gtin: '4006381333931' })).toMatchObject({ isError: true });
    }
  });
});
