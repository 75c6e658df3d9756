/** Judges a tool by what is known of it besides its own words: the operator's trust, pins, key slots. */
import type { Pins } from './pins/open-pins.ts';
import { hashDefinition } from './pins/definition-hash.ts';
import type { ConfiguredSlot } from './run/key-slot.ts';
import { findKeySlot } from './run/key-slot.ts';
import type { JudgeTool } from './tool-book.ts';

export interface JudgeOptions {
  readonly server: string;
  readonly trusted: boolean;
  readonly pins?: Pins;
  readonly idempotency?: ConfiguredSlot;
}

export function openJudge({ server, trusted, pins, idempotency }: JudgeOptions): JudgeTool {
  return (name, definition) => {
    const slot = findKeySlot(definition, idempotency);
    return {
      hash: hashDefinition(definition),
      trust: { trusted, ...pins?.trustOf(server, name) },
      isQuarantined: pins?.checkTool(server, name, definition).quarantined ?? false,
      slot,
      // That a server takes a key proves nothing; somebody must vouch for what it does with it.
      dedups: slot !== undefined && (trusted || idempotency !== undefined),
    };
  };
}
