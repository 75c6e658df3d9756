/** What the lock says about a server's tools, computed once for all drift rules. */
import { showText } from '../gate/approvals/show-text.ts';
import type { PinEntry } from '../gate/tools/lock.ts';
import { toPinEntry } from '../gate/tools/lock.ts';
import type { ToolCheck } from '../gate/tools/pins.ts';
import { checkPins } from '../gate/tools/pins.ts';
import { own, toRecord } from '../gate/tools/tool-definition.ts';
import type { ServerSubject } from './subject.ts';
import type { DriftChange } from '../gate/tools/drift-change.ts';

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

/** A few changes of a definition in one line. */
const MOST = 3;

export function describeChanges(changes: readonly DriftChange[]): string {
  const shown = changes.slice(0, MOST).map(({ pointer, text }) => {
    const at = pointer === '' ? '' : `${pointer.slice(0, 80)}: `;
    return showText(`${at}${text}`);
  });
  const more = changes.length > MOST ? `; and ${changes.length - MOST} more` : '';
  return `${shown.join('; ')}${more}`;
}

/** Pins as if the tools had been accepted as they are, to compare others with. Pure. */
const ACCEPTANCE = { by: 'plimsoll diff', at: new Date(0) };

/** Without tools that have no name or cannot be read: those are reported as added. */
export function toPins(tools: readonly unknown[]): ReadonlyMap<string, PinEntry> {
  const pins = new Map<string, PinEntry>();
  for (const tool of tools) {
    const name = own(toRecord(tool), 'name');
    const pin = toPinEntry(tool, ACCEPTANCE);
    if (typeof name === 'string' && pin !== undefined) pins.set(name, pin);
  }
  return pins;
}

/** The tools that the pins were made from; undefined when a pin does not contain its definition. */
export function fromPins(pins: ReadonlyMap<string, PinEntry>): readonly unknown[] | undefined {
  const texts = [...pins.values()].map(({ definitionText }) => definitionText);
  if (texts.includes(undefined)) return undefined;
  return texts.map((text) => JSON.parse(text ?? '') as unknown); // the lock has verified its definitions
}
