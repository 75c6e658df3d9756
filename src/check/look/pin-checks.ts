/** What the lock says of a server's tools, worked out once for all rules of drift. */
import type { ToolCheck } from '../../gate/pins/check-pins.ts';
import { checkPins } from '../../gate/pins/check-pins.ts';
import type { ServerSubject } from '../subject.ts';

const CHECKS = new WeakMap<ServerSubject, ReadonlyMap<string, ToolCheck>>();

/** By the tool's name; empty without a lock. */
export function pinChecks(server: ServerSubject): ReadonlyMap<string, ToolCheck> {
  const { pins, tools } = server;
  if (pins === undefined) return new Map();
  let checks = CHECKS.get(server);
  if (checks === undefined) {
    checks = checkPins(
      pins,
      tools.map(({ raw }) => raw),
    );
    CHECKS.set(server, checks);
  }
  return checks;
}
