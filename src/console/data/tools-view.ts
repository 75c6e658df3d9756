/** Every tool behind the gate, gravest first, with what is claimed, known and decided about it. */
import type { ToolHosts } from '../../check/hosts/host-table.ts';
import { toHostRows } from '../../check/hosts/host-table.ts';
import type { Finding } from '../../check/rule.ts';
import { toSubject } from '../../check/subject.ts';
import type { Act } from '../../effect/act.ts';
import { worstEffect } from '../../effect/combine-effects.ts';
import type { HintName } from '../../effect/hints.ts';
import { HINT_NAMES } from '../../effect/hints.ts';
import { findEstimate } from '../../effect/infer/find-estimate.ts';
import type { InferredEffect } from '../../effect/infer/infer-effect.ts';
import type { ReasonCode } from '../../effect/infer/reason.ts';
import type { Claim, StampReading } from '../../effect/read-stamp.ts';
import { readStamp } from '../../effect/read-stamp.ts';
import type { Tier } from '../../effect/tier.ts';
import { TIERS } from '../../effect/tier.ts';
import { decide } from '../../gate/policy/decide.ts';
import type { Policy } from '../../gate/policy/policy.ts';
import type { Verdict } from '../../gate/policy/verdict.ts';
import type { Parameter } from '../../gate/tools/compare-parameters.ts';
import { listParameters } from '../../gate/tools/compare-parameters.ts';
import type { PinEntry } from '../../gate/tools/lock.ts';
import type { ToolDrift, ToolCheck } from '../../gate/tools/pins.ts';
import type { KnownTool } from '../../gate/tools/tool-book.ts';
import type { ConsoleServices, ServerView } from '../console-services.ts';
import { findingsOf } from './tool-findings.ts';
import type { ImaginedCall } from './what-if.ts';
import { toCallFacts, knownTools, findKnownTool } from './what-if.ts';

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
  /** The source that decided the inferred effect. */
  readonly why: string;
  readonly hints: Readonly<Record<HintName, SaidHint>>;
  /** The policy's verdict on its gravest call, as far as it can be decided without arguments. */
  readonly verdict: Verdict['kind'];
  readonly rule: string;
  /** How it compares with its pin; absent when nothing is pinned at all. */
  readonly pin?: ToolDrift['kind'];
  readonly quarantined: boolean;
  /** What check finds about it. */
  readonly findings: readonly Finding[];
}

/** A hypothetical caller without any attributes. */
const UNSET: Pick<ImaginedCall, 'arguments' | 'principal' | 'repeated'> = {
  principal: { id: '', scopes: [] },
  arguments: {},
  repeated: false,
};

type Sources = Pick<ConsoleServices, 'servers' | 'policy' | 'pins' | 'now'>;

export function listToolsView({ servers, policy, pins, now }: Sources): readonly ToolView[] {
  const views = servers().flatMap((server) => {
    const checks = pins?.check(server.name, server.tools);
    const findings = findingsOf(server, now());
    return knownTools(server, pins).map((tool) => ({
      ...toView(server, tool, policy, checks?.get(tool.name)?.drift.kind),
      findings: findings.get(tool.name) ?? [],
    }));
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
): Omit<ToolView, 'findings'> {
  const { name, definition, inferred, isQuarantined } = tool;
  const { title, hints } = readStamp(definition);
  const { description } = definition;
  const effect = worstEffect(inferred.effect);
  const verdict = decide(policy, toCallFacts(server, tool, { ...UNSET, ...inferred, effect }));
  return {
    server: server.name,
    name,
    ...(title !== undefined && { title }),
    ...(typeof description === 'string' && { description }),
    tier: effect.tier,
    act: effect.act,
    basis: basisOf(inferred, server.trusted),
    confidence: inferred.confidence,
    why: inferred.reasons[0]?.text ?? '',
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

/** How it is known what a tool does: which source decided its tier. */
export type Basis = 'claimed' | 'inferred' | 'observed' | 'pinned';

export const BASES: Readonly<Record<Basis, string>> = Object.freeze({
  pinned: 'A person stated it when they accepted the tool.',
  observed: 'Calls were observed, and this is what they did.',
  claimed: 'The server says so, and is trusted.',
  inferred: 'It follows from the name, the description and the parameters.',
});

export function isBasis(value: unknown): value is Basis {
  return typeof value === 'string' && Object.hasOwn(BASES, value);
}

const BY_CODE: ReadonlyMap<ReasonCode | undefined, Basis> = new Map([
  ['pinned', 'pinned'],
  ['observed', 'observed'],
  ['declared', 'claimed'],
  ['claim-raises', 'claimed'],
]);

/** The deciding reason is the first one. */
function basisOf({ reasons: [first] }: InferredEffect, trusted: boolean): Basis {
  // An untrusted server's promise counts only when evidence confirms it.
  if (first?.code === 'claim-lowers') return trusted ? 'claimed' : 'observed';
  return BY_CODE.get(first?.code) ?? 'inferred';
}

/** A hint as a tool states it: true, false, unset, or invalid. */
export type SaidHint = 'true' | 'false' | 'unset' | 'unclear';

export function toSaidHint(claim: Claim<boolean>): SaidHint {
  switch (claim.state) {
    case 'claimed':
      return claim.value ? 'true' : 'false';
    case 'absent':
      return 'unset';
    case 'contradictory':
      return 'unclear';
  }
}

/** One tool with everything that is known about it: inferred effect, claims, hosts, parameters, pin. */
export interface ToolDetail {
  readonly server: ServerView;
  readonly view: ToolView;
  readonly tool: KnownTool;
  readonly stamp: StampReading;
  readonly parameters: readonly Parameter[];
  readonly hosts: ToolHosts | undefined;
  /** The tool that estimates the price, where money moves. */
  readonly estimate?: string;
  readonly pin?: PinEntry;
  readonly check?: ToolCheck;
}

export function toolDetail(
  services: Sources,
  serverName: string,
  name: string,
): ToolDetail | undefined {
  const { pins } = services;
  const server = services.servers().find((each) => each.name === serverName);
  if (server === undefined) return undefined;
  const views = listToolsView({ ...services, servers: () => [server] });
  const view = views.find((each) => each.name === name);
  const tool = findKnownTool(server, name, pins);
  if (view === undefined || tool === undefined) return undefined;
  const { definition } = tool;
  const pin = pins?.pinOf(serverName, name);
  const check = pins?.check(serverName, server.tools).get(name);
  const estimate = TIERS[view.tier].needsRepeatContract
    ? findEstimate(server.tools, definition)
    : undefined;
  return {
    server,
    view,
    tool,
    stamp: readStamp(definition),
    parameters: [...listParameters(definition['inputSchema']).values()],
    hosts: toHostRows(toSubject(serverName, [definition]))[0],
    ...(estimate !== undefined && { estimate }),
    ...(pin !== undefined && { pin }),
    ...(check !== undefined && { check }),
  };
}
