/** A read over streamable HTTP, with the SDK's own HTTP server behind the gate, or a stdio server. */
import { checkReceipts } from '../check-receipts.ts';
import type { Figures } from '../compare.ts';
import { compare } from '../compare.ts';
import { gateCommand, HTTP_SERVER, STDIO_SERVER } from '../gate-command.ts';
import { lookUp } from '../invoice-calls.ts';
import { openHttpLine, openListening } from '../line.ts';
import { onlyChild } from '../process-cost.ts';
import type { Goal, Limits, SuiteContext, SuiteReport } from '../suite.ts';
import { figuresOf } from '../suite.ts';

const TO_HTTP = 'gate, HTTP to HTTP';
const TO_STDIO = 'gate, HTTP to stdio';

export async function measureHttp(context: SuiteContext): Promise<SuiteReport> {
  const { rounds, seconds, era } = context.options;
  const { call, madeOn } = lookUp();
  const listen = ['--http', '127.0.0.1:0'];
  await using server = await openListening([HTTP_SERVER]);
  const toHttp = gateCommand(context, 'http-to-http', [...listen, '--url', server.url]);
  const stdioServer = [process.execPath, STDIO_SERVER];
  const toStdio = gateCommand(context, 'http-to-stdio', [...listen, '--', ...stdioServer]);
  let figures: readonly Figures[];
  let made: readonly [number, number];
  {
    await using httpGate = await openListening(toHttp.args);
    await using stdioGate = await openListening(toStdio.args);
    await using direct = await openHttpLine(
      server.url,
      { server: server.pid },
      { name: 'direct', era },
    );
    await using overHttp = await openHttpLine(
      httpGate.url,
      { middle: httpGate.pid, server: server.pid },
      { name: TO_HTTP, era },
    );
    await using first = await openHttpLine(
      stdioGate.url,
      { middle: stdioGate.pid, server: stdioGate.pid },
      { name: TO_STDIO, era },
    );
    // The server is started by its first request, so its process is known only now.
    const overStdio = { ...first, server: onlyChild(stdioGate.pid) };
    const lines = [direct, overHttp, overStdio];
    figures = await compare(lines, { call, inFlight: [1, 64], rounds, seconds });
    made = [madeOn(overHttp), madeOn(overStdio)];
  }
  return {
    title: 'A read over HTTP',
    figures,
    goals: [
      ...toGoals(figures, TO_HTTP, { p50: 1.3, rate: 0.8, cpu: 300 }),
      ...toGoals(figures, TO_STDIO, { p50: 0.8, rate: 1.4, cpu: 150 }),
    ],
    notes: [
      `To HTTP: ${checkReceipts(toHttp.ledger, 'read', made[0])}.`,
      `To stdio: ${checkReceipts(toStdio.ledger, 'read', made[1])}.`,
    ],
  };
}

/** Relative to a direct call: over HTTP there is no pipe that could be a floor. */
function toGoals(figures: readonly Figures[], name: string, { p50, rate, cpu }: Limits): Goal[] {
  const { middle } = figuresOf(figures, name, 64).cpu;
  const what = `read, ${name.replace('gate, ', '')}`;
  return [
    {
      what: `${what}, p50 to a direct call over HTTP`,
      limit: { kind: 'at most', figure: p50 },
      unit: '×',
      measured: figuresOf(figures, name, 1).p50Ratio,
    },
    {
      what: `${what}, calls/s to direct calls over HTTP with 64 in flight`,
      limit: { kind: 'at least', figure: rate },
      unit: '×',
      measured: figuresOf(figures, name, 64).rateRatio,
    },
    {
      what: `${what}, CPU of the gate with 64 in flight`,
      limit: { kind: 'at most', figure: cpu },
      unit: ' µs',
      measured: { median: middle },
    },
  ];
}
