/** The sentence about a call: by table from facts, and from the definitions of tools through inference. */
import { describe, expect, it } from 'vitest';
import type { Act } from '../../effect/act.ts';
import type { SpendFacts } from '../../effect/acts.ts';
import { BUILDERS } from '../../effect/acts.ts';
import { combineEffects } from '../../effect/combine-effects.ts';
import type { Effect } from '../../effect/effect.ts';
import { inferCall } from '../../effect/infer/infer-call.ts';
import { inferEffect } from '../../effect/infer/infer-effect.ts';
import type { Reason, ReasonCode } from '../../effect/infer/reason.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import table from './describe-call.cases.json' with { type: 'json' };
import { describeCall } from './describe-call.ts';

interface EffectCase extends SpendFacts {
  readonly act: Act;
  readonly object?: string;
}

interface FactCase {
  readonly tool?: string;
  readonly effects: readonly EffectCase[];
  readonly confidence?: number;
  readonly reasons?: readonly ReasonCode[];
  readonly arguments?: Readonly<Record<string, JsonValue>>;
  readonly does: string;
  readonly isCertain?: boolean;
}

interface ToolCase {
  readonly tool: { readonly name: string } & Readonly<Record<string, unknown>>;
  readonly arguments: Readonly<Record<string, JsonValue>>;
  readonly does: string;
}

const facts = table.facts as unknown as readonly FactCase[]; // JSON has wider types than our words
const tools = table.tools as unknown as readonly ToolCase[];

function toEffect({ act, object = 'unknown', ...rest }: EffectCase): Effect {
  return BUILDERS[act](object, rest);
}

function toReason(code: ReasonCode): Reason {
  return { code, source: 'name', text: `because of ${code}` };
}

describe('what a person is told that a call does', () => {
  it.each(facts.map((one) => [one.does, one] as const))('%s', (does, one) => {
    const [first, ...more] = one.effects.map(toEffect);
    if (first === undefined) throw new Error('a case without an effect');
    const reasons = (one.reasons ?? ['verb']).map(toReason);
    const told = describeCall({
      tool: one.tool ?? 'x',
      effect: combineEffects([first, ...more]),
      confidence: one.confidence ?? 0.9,
      reasons,
      arguments: one.arguments ?? {},
    });
    expect(told).toMatchObject({ does, isCertain: one.isCertain ?? true });
    expect(reasons).toContain(told.reason);
  });

  it.each(tools.map((one) => [`${one.tool.name} ${JSON.stringify(one.arguments)}`, one] as const))(
    '%s',
    (_, { tool, arguments: args, does }) => {
      const inferred = inferEffect(tool, {}, [tool]);
      const call = inferCall(tool, inferred, args);
      expect(describeCall({ tool: tool.name, ...call, arguments: args }).does).toBe(does);
    },
  );

  it('has a sentence for every act, and tells of no deletion that is not one', () => {
    for (const act of Object.keys(BUILDERS) as Act[]) {
      const effect = BUILDERS[act]('unknown');
      const known = { tool: 'x', effect, confidence: 1, arguments: {} };
      const { does } = describeCall({ ...known, reasons: [toReason('verb')] });
      expect(does).toMatch(/^It [a-z].*\.$/);
      expect(/delete/.test(does)).toBe(act === 'delete');
      const guessed = describeCall({ ...known, reasons: [toReason('unreadable')] });
      expect(guessed.does).not.toMatch(/delete/);
    }
  });
});
