/** Tools as if they had been accepted as they are, to hold others against. Pure. */
import type { PinEntry } from '../../gate/pins/pin-entry.ts';
import { toPinEntry } from '../../gate/pins/pin-entry.ts';
import { own, toRecord } from '../../gate/pins/tool-definition.ts';

const ACCEPTANCE = { by: 'plimsoll diff', at: new Date(0) };

/** Without tools that have no name or cannot be read: those come out as added. */
export function toPins(tools: readonly unknown[]): ReadonlyMap<string, PinEntry> {
  const pins = new Map<string, PinEntry>();
  for (const tool of tools) {
    const name = own(toRecord(tool), 'name');
    const pin = toPinEntry(tool, ACCEPTANCE);
    if (typeof name === 'string' && pin !== undefined) pins.set(name, pin);
  }
  return pins;
}

/** The tools that pins were made of; undefined when a pin does not hold its text. */
export function fromPins(pins: ReadonlyMap<string, PinEntry>): readonly unknown[] | undefined {
  const texts = [...pins.values()].map(({ definitionText }) => definitionText);
  if (texts.includes(undefined)) return undefined;
  return texts.map((text) => JSON.parse(text ?? '') as unknown); // the lock vouches for its texts
}
