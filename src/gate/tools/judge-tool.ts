/** Judges a tool by what is known of it besides its own words: the operator's trust, pins, key slots. */
import type { TellingConvention } from '../../effect/conventions/telling-conventions.ts';
import { TELLING_CONVENTIONS } from '../../effect/conventions/telling-conventions.ts';
import type { Trust } from '../../effect/infer/trust.ts';
import type { JsonObject } from '../protocol/frame.ts';
import type { ConfiguredSlot, KeySlot } from './key-slot.ts';
import { findKeySlot } from './key-slot.ts';
import type { Pins } from './pins.ts';
import { hashDefinition } from './tool-definition.ts';

interface ToolJudgement {
  readonly hash: string;
  readonly trust: Trust;
  readonly isQuarantined: boolean;
  readonly slot: KeySlot | undefined;
  readonly dedups: boolean;
}

export interface Judge {
  /** Grows when pins change, so that tools are judged again. `now`: looks at the file in any case. */
  pinsVersion(now: boolean): number;
  /** `list` gives all that the server lists: only its neighbours tell whether a tool is new or renamed. */
  judge(name: string, definition: JsonObject, list: () => readonly JsonObject[]): ToolJudgement;
}

export interface JudgeOptions {
  readonly server: string;
  readonly trusted: boolean;
  readonly convention?: TellingConvention | undefined;
  readonly pins?: Pins;
  readonly idempotency?: ConfiguredSlot;
}

export function openJudge(options: JudgeOptions): Judge {
  const { server, trusted, convention, pins, idempotency } = options;
  const stated: Trust = {
    trusted,
    ...(convention !== undefined && { convention: TELLING_CONVENTIONS[convention] }),
  };
  return {
    pinsVersion: (now) => pins?.version(now) ?? 0,
    judge(name, definition, list) {
      const slot = findKeySlot(definition, idempotency);
      const isQuarantined = pins?.isHeldBack(server, name, definition, list) ?? false;
      return {
        hash: hashDefinition(definition),
        trust: { ...stated, ...pins?.trustOf(server, name) },
        isQuarantined,
        slot,
        // That a server takes a key proves nothing; somebody must vouch for what it does with it.
        dedups: slot !== undefined && (trusted || idempotency !== undefined),
      };
    },
  };
}
