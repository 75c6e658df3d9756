/** The lines that peers are compared with: directly to each server, and through the gate on every route. */
import { gateCommand, STDIO_SERVER } from '../gate/gate-command.ts';
import type { Line, Listening } from '../gate/line.ts';
import { openHttpLine, openListening, openStdioLine } from '../gate/line.ts';
import { onlyChild } from '../gate/process-cost.ts';
import type { SuiteContext } from '../gate/suite.ts';
import type { Route } from './route.ts';
import { ROUTES } from './route.ts';

const ERA = '2025';

/** A call that goes to HTTP anyway is compared with one that goes there directly. */
export function directOf(route: Route): string {
  return route === 'stdio to stdio' ? 'direct over stdio' : 'direct over HTTP';
}

export function gateOf(route: Route): string {
  return `${route}: plimsoll gate`;
}

export async function openOwnLines(
  context: SuiteContext,
  server: Listening,
  stack: AsyncDisposableStack,
): Promise<readonly Line[]> {
  const [stdio, http] = [directOf('stdio to stdio'), directOf('HTTP to HTTP')];
  const lines: Line[] = [
    stack.use(await openStdioLine([STDIO_SERVER], { name: stdio, era: ERA })),
    stack.use(await openHttpLine(server.url, { server: server.pid }, { name: http, era: ERA })),
  ];
  for (const route of ROUTES) lines.push(await openGate(context, route, server, stack));
  return lines;
}

async function openGate(
  context: SuiteContext,
  route: Route,
  server: Listening,
  stack: AsyncDisposableStack,
): Promise<Line> {
  const name = gateOf(route);
  const isToHttp = route.endsWith('to HTTP');
  const behind = isToHttp ? ['--url', server.url] : ['--', process.execPath, STDIO_SERVER];
  const ledger = `peers-${route.replaceAll(' ', '-')}`;
  if (route.startsWith('stdio')) {
    const { args } = gateCommand(context, ledger, behind);
    const known = isToHttp ? { server: server.pid } : {};
    return stack.use(await openStdioLine(args, { name, era: ERA, hasMiddle: true, ...known }));
  }
  const { args } = gateCommand(context, ledger, ['--http', '127.0.0.1:0', ...behind]);
  const { url, pid } = stack.use(await openListening(args));
  const pids = { middle: pid, server: isToHttp ? server.pid : pid };
  const line = stack.use(await openHttpLine(url, pids, { name, era: ERA }));
  // A server over stdio is started by its first request, so its process is known only now.
  return isToHttp ? line : { ...line, server: onlyChild(pid) };
}
