/** `tools/list` of ten thousand tools over stdio, from the second request on. */
import { compare } from '../compare.ts';
import { BYTE_PIPE, gateCommand, LIST_SERVER } from '../gate-command.ts';
import type { Line } from '../line.ts';
import { openStdioLine } from '../line.ts';
import type { SuiteContext, SuiteReport } from '../suite.ts';
import { figuresOf } from '../suite.ts';

const TOOLS = 10_000;

export async function measureList(context: SuiteContext): Promise<SuiteReport> {
  const { rounds, era } = context.options;
  const server = [process.execPath, LIST_SERVER];
  const { args } = gateCommand(context, 'list', ['--', ...server]);
  await using direct = await openStdioLine([LIST_SERVER], { name: 'direct', era });
  await using pipe = await openStdioLine([BYTE_PIPE, ...server], {
    name: 'byte pipe',
    era,
    hasMiddle: true,
  });
  await using gated = await openStdioLine(args, { name: 'gate', era, hasMiddle: true });
  // A slot of zero length fits one list.
  const plan = { call: list, inFlight: [1], rounds, seconds: 0 };
  const figures = await compare([direct, pipe, gated], plan);
  return {
    title: '`tools/list` of 10,000 tools over stdio',
    figures,
    goals: [
      {
        what: 'tools/list of 10,000 tools, after the first, p50 to a direct call',
        limit: { kind: 'at most', figure: 1 },
        unit: '×',
        measured: figuresOf(figures, 'gate', 1).p50Ratio,
      },
    ],
    notes: [],
  };
}

/** The client caches lists; this makes it request them anyway. */
async function list({ name, client }: Line): Promise<void> {
  const { tools } = await client.listTools(undefined, { cacheMode: 'refresh' });
  if (tools.length !== TOOLS) throw new Error(`${name} lists ${tools.length} tools`);
}
