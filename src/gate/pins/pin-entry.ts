/** A pin: one tool of one server, as a person accepted it. */
import type { Act } from '../../effect/act.ts';
import type { Evidence } from '../../effect/reading/trust.ts';
import { readTool } from '../../effect/reading/read-tool.ts';
import type { Tier } from '../../effect/tier.ts';
import { toCanonicalJson } from '../../lib/canonical-json.ts';
import { hashText } from './definition-hash.ts';
import type { FullHints } from './tool-definition.ts';
import { hintsOf, toDefinition } from './tool-definition.ts';

export interface PinEntry {
  /** `sha256:` and 64 hex digits. */
  readonly definition: string;
  readonly tier: Tier;
  readonly act: Act;
  /** The tier is a person's word, not a reading. */
  readonly stated?: true;
  readonly hints: FullHints;
  readonly acceptedBy: string;
  /** ISO 8601. */
  readonly acceptedAt: string;
  readonly evidence?: Evidence;
  /** What `definition` is the hash of, so that a change can be shown and classed. */
  readonly definitionText?: string;
}

export interface Acceptance {
  readonly by: string;
  readonly at: Date;
  /** What the person says that the tool does. */
  readonly tier?: Tier;
  readonly evidence?: Evidence;
}

/** Undefined when part of the tool cannot be read: nobody can accept what nobody can see. */
export function toPinEntry(tool: unknown, acceptance: Acceptance): PinEntry | undefined {
  const { definition, whole } = toDefinition(tool);
  if (!whole) return undefined;
  const { by, at, tier, evidence } = acceptance;
  const { effect } = readTool(definition, tier === undefined ? {} : { pin: { tier } });
  const definitionText = toCanonicalJson(definition);
  return Object.freeze({
    definition: hashText(definitionText),
    tier: effect.tier,
    act: effect.act,
    ...(tier !== undefined && { stated: true as const }),
    hints: hintsOf(definition),
    acceptedBy: by,
    acceptedAt: at.toISOString(),
    ...(evidence !== undefined && { evidence }),
    definitionText,
  });
}
