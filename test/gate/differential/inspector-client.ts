/** The Inspector's command line: one process, and so one connection, for each request. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json, JsonObject } from './fixture-world.ts';
import { Recorder } from './trace.ts';
import type { Era, Target, TracedClient } from './traced-client.ts';

const PROGRAM = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);
const TIMEOUT_MS = 30_000;

export class InspectorClient implements TracedClient {
  readonly recorder = new Recorder();
  readonly #era: Era;
  /** Its home and the file that says which server it talks to. */
  readonly #folder = mkdtempSync(join(tmpdir(), 'plimsoll-inspector-'));

  constructor(target: Target, era: Era) {
    this.#era = era;
    const server =
      target.kind === 'http'
        ? { type: 'streamable-http', url: target.url }
        : { type: 'stdio', command: target.command, args: target.args };
    writeFileSync(join(this.#folder, 'mcp.json'), JSON.stringify({ mcpServers: { it: server } }));
  }

  async open(): Promise<Json> {
    return null;
  }

  async request(method: string, params: JsonObject): Promise<Json> {
    if (method === 'tools/call') this.recorder.sent({ id: 0, method });
    const config = ['--config', join(this.#folder, 'mcp.json'), '--server', 'it'];
    const era = ['--protocol-era', this.#era === '2025' ? 'legacy' : 'modern'];
    const args = [PROGRAM, '--cli', ...config, ...era, '--format', 'json', '--quiet'];
    const env = { PATH: process.env['PATH'] ?? '', HOME: this.#folder };
    return new Promise((resolve) => {
      const child = execFile(
        process.execPath,
        [...args, '--method', method, ...toFlags(params)],
        { env, timeout: TIMEOUT_MS, maxBuffer: 1e8 },
        (_, stdout, stderr) =>
          resolve({ code: child.exitCode, stdout: toJson(stdout), stderr: toJson(stderr) }),
      );
    });
  }

  async notify(): Promise<void> {}

  async listen(): Promise<void> {}

  async unlisten(): Promise<void> {}

  async close(): Promise<void> {
    rmSync(this.#folder, { recursive: true });
  }
}

function toFlags({ name, arguments: args, uri }: JsonObject): readonly string[] {
  if (typeof uri === 'string') return ['--uri', uri];
  if (typeof name !== 'string') return [];
  const { who, ...rest } = (args ?? {}) as JsonObject; // of our own scripts
  // Only the prompt takes `who`.
  if (typeof who === 'string') return ['--prompt-name', name, '--prompt-args', `who=${who}`];
  return ['--tool-name', name, '--tool-args-json', JSON.stringify(rest)];
}

function toJson(text: string): Json {
  try {
    return JSON.parse(text) as Json; // what JSON.parse gives is JSON
  } catch {
    return text;
  }
}
