/** A connection from the SDK's client to a server, direct or with a process in the middle. */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { getDefaultEnvironment, StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Era } from './options.ts';
import { lastDescendant } from './process-cost.ts';

export interface Line extends AsyncDisposable {
  readonly name: string;
  readonly client: Client;
  /** Process ids, to measure each. */
  readonly middle?: number;
  readonly server: number;
}

export interface LineInit {
  readonly name: string;
  readonly era: Era;
  /** Whether the command is a process in the middle, which starts the server itself. */
  readonly hasMiddle?: boolean;
  /** The server's process, where the one in the middle does not start it. */
  readonly server?: number;
  readonly env?: Readonly<Record<string, string>>;
  /** Whether what the command writes to its standard error is dropped. */
  readonly isQuiet?: boolean;
}

const START_MS = 30_000;

export async function openStdioLine(command: readonly string[], init: LineInit): Promise<Line> {
  const { name, era, hasMiddle = false, server, env, isQuiet = false } = init;
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...command],
    env: { ...getDefaultEnvironment(), PLIMSOLL_UNATTENDED: '1', ...env },
    stderr: isQuiet ? 'ignore' : 'inherit',
  });
  const client = toClient(era);
  try {
    await client.connect(transport, { timeout: START_MS });
    // Connecting may have used a process that has since exited; this call makes sure that the real one runs.
    await client.listTools(undefined, { timeout: START_MS });
  } catch (error) {
    await client.close();
    throw error;
  }
  const { pid } = transport;
  if (pid === null) throw new Error(`${name} did not start`);
  return {
    name,
    client,
    ...(hasMiddle ? { middle: pid, server: server ?? lastDescendant(pid) } : { server: pid }),
    [Symbol.asyncDispose]: () => client.close(),
  };
}

export async function openHttpLine(
  url: string,
  pids: Pick<Line, 'middle' | 'server'>,
  init: LineInit,
): Promise<Line> {
  const client = toClient(init.era);
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  await client.listTools();
  return { name: init.name, client, ...pids, [Symbol.asyncDispose]: () => client.close() };
}

function toClient(era: Era): Client {
  const mode = era === '2026' ? { pin: '2026-07-28' } : 'legacy';
  return new Client({ name: 'bench', version: '1.0.0' }, { versionNegotiation: { mode } });
}

export interface Listening extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

/** Starts a program that listens and prints its address, on either output. */
export async function openListening(command: readonly string[]): Promise<Listening> {
  const child = spawn(process.execPath, [...command], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PLIMSOLL_UNATTENDED: '1' },
  });
  const url = await addressOf(child);
  return {
    url,
    pid: child.pid ?? 0,
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

function addressOf(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let said = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const address = /https?:\/\/\S+/.exec(said)?.[0];
      if (address !== undefined) resolve(address);
    });
  }
  child.once('exit', (code) => reject(new Error(`the program exited with ${code}: ${said}`)));
  return promise;
}
