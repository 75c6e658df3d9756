/** One server by its name, and by the lock of its gate where several gates have one of that name. */
import { hash } from 'node:crypto';
import type { Pins } from '../../gate/tools/pins.ts';
import { toProblem } from '../../lib/problem.ts';
import type { Problem } from '../../lib/problem.ts';
import type { ConsoleServices, ServerView } from '../console-services.ts';
import { openGatePins } from '../gate-pins.ts';

type Sources = Pick<ConsoleServices, 'servers' | 'alike' | 'lock' | 'pins'>;

export interface FoundServer {
  readonly server: ServerView;
  /** What tells it from the others of its name; a form sends it back. */
  readonly at: string;
  readonly isOneOfMany: boolean;
  readonly pins?: Pins;
}

/** With one lock for all of them there is nothing to tell apart. */
export function serversNamed(services: Sources, name: string): readonly FoundServer[] {
  const first = services.servers().filter((server) => server.name === name);
  const alike = services.lock === undefined ? (services.alike?.(name) ?? first) : first;
  return alike.map((server, place) => {
    const pins = place === 0 ? services.pins : openGatePins(() => [server]);
    return {
      server,
      at: toKey(server),
      isOneOfMany: alike.length > 1,
      ...(pins !== undefined && { pins }),
    };
  });
}

/** For views of its tools: it and its pins alone. */
export function onlyOf(
  { server, pins }: FoundServer,
  { policy, now }: Pick<ConsoleServices, 'policy' | 'now'>,
): Pick<ConsoleServices, 'servers' | 'pins' | 'policy' | 'now'> {
  return { policy, now, servers: () => [server], ...(pins !== undefined && { pins }) };
}

function toKey({ lock, lockElsewhere }: ServerView): string {
  return hash('sha256', lock ?? lockElsewhere ?? '', 'hex').slice(0, 12);
}

/** The first of the name where nobody has said which. */
export function findServer(
  services: Sources,
  name: string,
  at: string | undefined,
): FoundServer | undefined {
  const found = serversNamed(services, name);
  return at === undefined ? found[0] : found.find((each) => each.at === at);
}

export const NO_SERVER: Problem = toProblem(
  'not-found',
  'No server with that name is behind a gate of this ledger.',
);

const CHOOSE = toProblem(
  'conflict',
  'Several gates have a server of this name, each with a lock of its own. Nothing was accepted; open its page from the list of servers, and decide there.',
);
const MOVED = toProblem(
  'conflict',
  'The gate that you were shown is gone, or uses another lock now. Nothing was accepted; open the page of the server again.',
);

/** To write for: never for another one than was shown. */
export function findShownServer(
  services: Sources,
  name: string,
  at: string | undefined,
): FoundServer | Problem {
  const [first, ...others] = serversNamed(services, name);
  if (first === undefined) return NO_SERVER;
  if (at === undefined) return others.length > 0 ? CHOOSE : first;
  return findServer(services, name, at) ?? MOVED;
}
