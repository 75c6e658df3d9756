/** What a policy would have said to the calls of the past, beside what became of them. Pure. */
import type { Effect, Mode } from '../../effect/effect.ts';
import { possibleEffects } from '../../effect/effect.ts';
import type { InferredEffect } from '../../effect/infer/infer-effect.ts';
import { inferEffect } from '../../effect/infer/infer-effect.ts';
import type { Tier } from '../../effect/tier.ts';
import { decide } from './decide.ts';
import type { PastCall } from './past-calls.ts';
import type { Policy } from './policy.ts';
import { serverTerms } from './policy.ts';
import type { Verdict } from './verdict.ts';

export interface ReplayedGroup {
  readonly server: string;
  readonly tool: string;
  readonly tier: Tier;
  readonly was: PastCall['was'];
  /** Why calls were stopped: the policy decides on something else, and they may be stopped again. */
  readonly outcome?: PastCall['outcome'];
  readonly effect?: PastCall['effect'];
  /** Absent where nobody knows what the calls would have done, so that no policy can tell. */
  readonly would?: Verdict['kind'];
  /** The rule of the policy that decides now. */
  readonly rule?: string;
  readonly calls: number;
}

export interface Replay {
  /** The most calls first. */
  readonly groups: readonly ReplayedGroup[];
  /** Calls whose arguments the ledger does not keep: conditions on them fail closed. */
  readonly withoutArguments: number;
}

/** `definitionOf` gives a tool as its gate saw it last, if one did, and `listOf` all of its server. */
export function replayPolicy(
  policy: Policy,
  calls: readonly PastCall[],
  definitionOf: (server: string, tool: string) => unknown,
  listOf: (server: string) => readonly unknown[] = () => [],
): Replay {
  const seen = new Map<string, InferredEffect>();
  const seenTool = ({ server, tool }: PastCall): InferredEffect => {
    const key = JSON.stringify([server, tool]);
    const known =
      seen.get(key) ??
      inferEffect(definitionOf(server, tool) ?? { name: tool }, {}, listOf(server));
    seen.set(key, known);
    return known;
  };
  const groups = new Map<string, ReplayedGroup>();
  for (const call of calls) {
    const { server, tool, tier, was, outcome, effect } = call;
    const verdict = effect === undefined ? judge(policy, call, seenTool(call)) : undefined;
    const group = {
      server,
      tool,
      tier,
      was,
      ...(outcome !== undefined && { outcome }),
      ...(effect !== undefined && { effect }),
      ...(verdict !== undefined && { would: verdict.kind, rule: verdict.rule }),
    };
    const key = JSON.stringify(group);
    const before = groups.get(key)?.calls ?? 0;
    groups.set(key, { ...group, calls: before + 1 });
  }
  return {
    groups: [...groups.values()].toSorted((a, b) => b.calls - a.calls),
    withoutArguments: calls.filter(
      (call) => call.arguments === undefined && call.effect === undefined,
    ).length,
  };
}

function judge(policy: Policy, call: PastCall, inferred: InferredEffect): Verdict {
  const { server, tool, principal, tenant } = call;
  const { trusted, mode } = serverTerms(policy, server);
  return decide(policy, {
    server,
    trusted,
    tool,
    effect: toEffect(call, inferred),
    confidence: inferred.confidence,
    reasons: inferred.reasons,
    principal: { id: principal, scopes: [], ...(tenant !== '' && { tenant }) },
    mode: mode satisfies Mode,
    arguments: call.arguments ?? {},
    quarantined: false,
    declared: trusted || inferred.isDeclared,
    repeated: false,
  });
}

/** The effect that the call had then; what the receipt does not tell is taken from its tool. */
function toEffect({ act, tier, reach }: PastCall, { effect }: InferredEffect): Effect {
  const all = possibleEffects(effect);
  const same = all.find((each) => each.act === act && each.tier === tier) ?? all[0] ?? effect;
  const { also: _, ...one } = same;
  return { ...one, act, tier, reach };
}
