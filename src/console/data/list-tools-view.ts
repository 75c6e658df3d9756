/** Every tool behind the gate, gravest first, with what is claimed, known and decided about it. */
import type { Act } from '../../effect/act.ts';
import { gravestEffect } from '../../effect/effect.ts';
import type { HintName } from '../../effect/hints.ts';
import { HINT_NAMES } from '../../effect/hints.ts';
import { readStamp } from '../../effect/read-stamp.ts';
import type { Tier } from '../../effect/tier.ts';
import { TIERS } from '../../effect/tier.ts';
import { decide } from '../../gate/decide/decide.ts';
import type { Policy } from '../../gate/decide/policy.ts';
import type { Verdict } from '../../gate/decide/verdict.ts';
import type { KnownTool } from '../../gate/gate-call.ts';
import type { ToolDrift } from '../../gate/pins/check-pins.ts';
import type { ConsoleServices, ServerView } from '../console-services.ts';
import type { Basis } from './basis.ts';
import { basisOf } from './basis.ts';
import { knownTools } from './known-tools.ts';
import type { SaidHint } from './said-hint.ts';
import { toSaidHint } from './said-hint.ts';
import type { ImaginedCall } from './to-call-facts.ts';
import { toCallFacts } from './to-call-facts.ts';

/** Names, titles and descriptions are the server's own words: data, never markup. */
export interface ToolView {
  readonly server: string;
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  /** Of the gravest call that it can make. */
  readonly tier: Tier;
  readonly act: Act;
  readonly basis: Basis;
  /** From 0 to 1. */
  readonly confidence: number;
  /** What decided the reading. */
  readonly why: string;
  readonly hints: Readonly<Record<HintName, SaidHint>>;
  /** What the policy makes of its gravest call, as far as that can be told without arguments. */
  readonly verdict: Verdict['kind'];
  readonly rule: string;
  /** How it stands to its pin; absent where nothing is pinned at all. */
  readonly pin?: ToolDrift['kind'];
  readonly quarantined: boolean;
}

/** Nobody in particular, with nothing in particular. */
const UNSAID: Omit<ImaginedCall, 'effect'> = {
  principal: { id: '', scopes: [] },
  arguments: {},
  repeated: false,
};

type Sources = Pick<ConsoleServices, 'servers' | 'policy' | 'pins'>;

export function listToolsView({ servers, policy, pins }: Sources): readonly ToolView[] {
  const views = servers().flatMap((server) => {
    const checks = pins?.check(server.name, server.tools);
    return knownTools(server, pins).map((tool) =>
      toView(server, tool, policy, checks?.get(tool.name)?.drift.kind),
    );
  });
  return views.toSorted(
    (a, b) =>
      TIERS[b.tier].severity - TIERS[a.tier].severity ||
      compare(a.server, b.server) ||
      compare(a.name, b.name),
  );
}

function toView(
  server: ServerView,
  tool: KnownTool,
  policy: Policy,
  pin: ToolDrift['kind'] | undefined,
): ToolView {
  const { name, definition, reading, isQuarantined } = tool;
  const { title, hints } = readStamp(definition);
  const { description } = definition;
  const effect = gravestEffect(reading.effect);
  const verdict = decide(policy, toCallFacts(server, tool, { ...UNSAID, effect }));
  return {
    server: server.name,
    name,
    ...(title !== undefined && { title }),
    ...(typeof description === 'string' && { description }),
    tier: effect.tier,
    act: effect.act,
    basis: basisOf(reading, server.trusted),
    confidence: reading.confidence,
    why: reading.reasons[0]?.text ?? '',
    hints: Object.fromEntries(
      HINT_NAMES.map((hint) => [hint, toSaidHint(hints[hint])]),
    ) as ToolView['hints'], // one entry a name
    verdict: verdict.kind,
    rule: verdict.rule,
    ...(pin !== undefined && { pin }),
    quarantined: isQuarantined,
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
