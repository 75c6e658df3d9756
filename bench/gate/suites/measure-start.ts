/** What starting the gate costs, and how much memory it uses while idle. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { setTimeout as sleep } from 'node:timers/promises';
import { gateCommand, STDIO_SERVER } from '../gate-command.ts';
import { cpuMs, residentMb } from '../process-cost.ts';
import { spreadOf } from '../statistics.ts';
import type { SuiteContext, SuiteReport } from '../suite.ts';
import { watchOthers } from '../watch-others.ts';

const STARTS = 7;
const IDLE_MS = 1000;

interface Start {
  readonly cpu: number;
  readonly cpuToCall: number;
  readonly wall: number;
  readonly memory: number;
}

export async function measureStart(context: SuiteContext): Promise<SuiteReport> {
  const shareOfOthers = watchOthers();
  const gated: Start[] = [];
  const direct: Start[] = [];
  const bare: Pick<Start, 'cpu' | 'memory'>[] = [];
  for (let index = 0; index < STARTS; index += 1) {
    const server = ['--', process.execPath, STDIO_SERVER];
    direct.push(await startOnce([STDIO_SERVER]));
    gated.push(await startOnce(gateCommand(context, `start-${index}`, server).args));
    bare.push(await startNode());
    process.stderr.write('.');
  }
  const median = (values: readonly number[]): string => spreadOf(values).median.toFixed(0);
  const commands = await measureCommands(context);
  const [cpuToCall, wall, serverWall] = [
    spreadOf(gated.map((each) => each.cpuToCall)).median,
    spreadOf(gated.map((each) => each.wall)).median,
    spreadOf(direct.map((each) => each.wall)).median,
  ];
  return {
    title: 'Start and idle',
    figures: [],
    others: shareOfOthers(),
    goals: [
      {
        what: 'CPU of the gate from its start to the answer of the handshake',
        limit: { kind: 'at most', figure: 150 },
        unit: ' ms',
        measured: spreadOf(gated.map(({ cpu }) => cpu)),
      },
      {
        what: 'memory of the gate when idle, in front of one server',
        limit: { kind: 'at most', figure: 70 },
        unit: ' MB',
        measured: spreadOf(gated.map(({ memory }) => memory)),
      },
    ],
    notes: [
      `CPU of the gate up to the answer of the first tool call: ${cpuToCall.toFixed(0)} ms.`,
      `The handshake is answered after ${wall.toFixed(0)} ms, by the server itself after ${serverWall.toFixed(0)} ms.`,
      ...commands,
    ],
    readme: [
      {
        what: 'CPU of a gate from its start to the answer of the handshake',
        gate: `${median(gated.map(({ cpu }) => cpu))} ms`,
        compare: `${median(bare.map(({ cpu }) => cpu))} ms for Node alone`,
      },
      {
        what: 'memory of a gate at rest, in front of one server',
        gate: `${median(gated.map(({ memory }) => memory))} MB`,
        compare: `${median(bare.map(({ memory }) => memory))} MB for Node alone`,
      },
    ],
  };
}

/** A program that writes a line and waits. */
async function startNode(): Promise<Pick<Start, 'cpu' | 'memory'>> {
  const program = "process.stdout.write('up\\n'); process.stdin.resume();";
  const child = spawn(process.execPath, ['-e', program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const { pid = 0 } = child;
  await once(child.stdout, 'data');
  const cpu = cpuMs(pid);
  await sleep(IDLE_MS);
  const memory = residentMb(pid);
  child.stdin.end();
  await once(child, 'exit');
  return { cpu, memory };
}

/** Written at the exit, by the process itself. `maxRSS` would count the memory of its parent, too. */
const TELL_COST = `data:text/javascript,import{readFileSync}from'node:fs';process.on('exit',()=>{const{user:u,system:s}=process.cpuUsage(),[,m]=/^VmHWM:\\s+(\\d+)/m.exec(readFileSync('/proc/self/status','utf8'));process.stderr.write('\\ncost '+(u+s)/1000+' '+m/1024)})`;

/** Commands that end by themselves: their CPU from start to end, and the most memory they had. */
async function measureCommands({ gate, folder }: SuiteContext): Promise<readonly string[]> {
  const library = pathToFileURL(join(dirname(gate), '../serve/index.js')).href;
  const served = join(folder, 'served.mjs');
  const made = `createServer({ name: 'empty', version: '1.0.0', operations: [] })`;
  writeFileSync(served, `import { createServer } from '${library}';\nexport default ${made};\n`);
  const server = ['--', process.execPath, STDIO_SERVER];
  const commands = {
    tools: ['tools', ...server],
    check: ['check', ...server],
    serve: ['serve', served, '--stdio'],
  };
  const sentences: string[] = [];
  for (const [name, args] of Object.entries(commands)) {
    const costs: { readonly cpu: number; readonly memory: number }[] = [];
    for (let index = 0; index < STARTS; index += 1) {
      const all = ['--import', TELL_COST, gate, ...args];
      const { stderr } = spawnSync(process.execPath, all, { input: '', encoding: 'utf8' });
      const [, cpu, memory] = /^cost (\S+) (\S+)/m.exec(stderr) ?? [];
      if (cpu === undefined) throw new Error(`plimsoll ${name}: ${stderr}`);
      costs.push({ cpu: Number(cpu), memory: Number(memory) });
    }
    const [cpu, memory] = [
      spreadOf(costs.map((each) => each.cpu)).median,
      spreadOf(costs.map((each) => each.memory)).median,
    ];
    process.stderr.write('.');
    sentences.push(`\`plimsoll ${name}\`: ${cpu.toFixed(0)} ms of CPU, ${memory.toFixed(0)} MB.`);
  }
  process.stderr.write('\n');
  return sentences;
}

/** With a minimal client: two lines are written, two are read. */
async function startOnce(args: readonly string[]): Promise<Start> {
  const started = performance.now();
  const child = spawn(process.execPath, [...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, PLIMSOLL_UNATTENDED: '1' },
  });
  const { pid = 0 } = child;
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ask = async (method: string, params: object): Promise<void> => {
    child.stdin.write(`${toRequest(method, params)}\n`);
    const { value } = await lines.next();
    if (!String(value).includes('"result"')) throw new Error(`${method}: ${String(value)}`);
  };
  await ask('server/discover', {});
  const [wall, cpu] = [performance.now() - started, cpuMs(pid)];
  await ask('tools/call', { name: 'get_invoice', arguments: { invoice_id: 'INV-1' } });
  const cpuToCall = cpuMs(pid);
  await sleep(IDLE_MS);
  const memory = residentMb(pid);
  child.stdin.end();
  await once(child, 'exit');
  return { cpu, cpuToCall, wall, memory };
}

function toRequest(method: string, params: object): string {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'bench', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return JSON.stringify({ jsonrpc: '2.0', id: method, method, params: { ...params, _meta } });
}
