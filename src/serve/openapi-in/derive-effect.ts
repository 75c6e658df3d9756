/**
 * The effect of an endpoint, from what the document and the overlay state. A read may be inferred from
 * the method; the effect of a mutation is never guessed.
 */
import type { Act } from '../../effect/act.ts';
import { ACTS } from '../../effect/act.ts';
import { estimates, BUILDERS as BY_ACT } from '../../effect/acts.ts';
import type { Build } from '../../effect/acts.ts';
import type { Effect, Reach } from '../../effect/effect.ts';
import { META_KEYS } from '../../effect/meta-keys.ts';
import type { RepeatSpelling } from '../../effect/repeat.ts';
import type { Tier } from '../../effect/tier.ts';
import { isTier, TIER_NAMES } from '../../effect/tier.ts';
import type { Endpoint } from './endpoints.ts';
import { Refused } from './finding.ts';
import { asText, member } from './reference.ts';
import type { OverlayEntry, ProjectedAct } from './overlay.ts';
import type { KeyNeed } from './request-plan.ts';

interface Stated {
  readonly tier: Tier;
  readonly act: ProjectedAct;
}

const LOOKING: ReadonlySet<string> = new Set(['get', 'head']);

/** The act that a tier implies, unless the overlay names another. */
const ACT_OF: Readonly<Record<Tier, (method: string) => Act>> = {
  read: () => 'read',
  compute: (method) => COMPUTE_BY_METHOD[method] ?? 'compute',
  share_export: () => 'share',
  external_spend: () => 'spend',
  destructive: () => 'delete',
};

const COMPUTE_BY_METHOD: Readonly<Record<string, Act>> = {
  post: 'create',
  put: 'put',
  patch: 'update',
  delete: 'delete',
};

const BUILDERS: Readonly<Record<ProjectedAct, Build>> = { ...BY_ACT, estimate: estimates };

export function readTier(endpoint: Endpoint, overlay: OverlayEntry): Stated {
  const { key } = META_KEYS.sideEffect;
  const said = overlay.sideEffect ?? member(endpoint.operation, key);
  if (said !== undefined && !isTier(said)) {
    const shown = typeof said === 'string' ? JSON.stringify(said.slice(0, 60)) : typeof said;
    const sentence = `${key} is ${shown}, which is not a tier; write one of ${TIER_NAMES.join(', ')}.`;
    throw new Refused('tier-unknown', sentence);
  }
  const implied = overlay.act === undefined ? undefined : usualTier(overlay.act);
  const tier = said ?? implied ?? (LOOKING.has(endpoint.method) ? ACTS.read.tier : undefined);
  if (tier === undefined) {
    throw new Refused(
      'tier-missing',
      `${endpoint.label} can change things, and nothing states its tier; write "${key}": one of ${TIER_NAMES.join(', ')} on the operation, or sideEffect under ${endpoint.id ?? 'its operationId'} in the overlay.`,
    );
  }
  return { tier, act: overlay.act ?? ACT_OF[tier](endpoint.method) };
}

export function deriveEffect(
  endpoint: Endpoint,
  { tier, act }: Stated,
  overlay: OverlayEntry,
  context: {
    readonly key: KeyNeed | undefined;
    readonly reach: Reach | undefined;
    readonly estimate: string | undefined;
    readonly produces: readonly string[];
  },
): Effect {
  const { estimate } = context;
  if (estimate !== undefined && act !== 'spend') {
    throw new Refused(
      'estimate-without-spend',
      `It names an estimate, but is not a spend; remove the estimate, or state external_spend.`,
    );
  }
  const repeat = overlay.repeat ?? repeatByKey(act, context.key);
  const reach = overlay.reach ?? context.reach;
  const { object, trace, overwrites, reversible, secrets, secretsReason, reserves } = overlay;
  return BUILDERS[act](object ?? usualObject(endpoint, act, context.produces), {
    tier,
    ...(tier !== usualTier(act) && { tierReason: 'The document or its overlay states it.' }),
    ...(repeat !== undefined && { repeat }),
    ...(reach !== undefined && { reach }),
    ...(trace !== undefined && { trace }),
    ...(overwrites !== undefined && { overwrites }),
    ...(reversible !== undefined && { reversible }),
    ...(secrets !== undefined && { secrets }),
    ...(secretsReason !== undefined && { secretsReason }),
    ...(act === 'spend' && estimate !== undefined && { estimate }),
    ...(act === 'spend' && reserves !== undefined && { reserves }),
  });
}

function usualTier(act: ProjectedAct): Tier {
  return act === 'estimate' ? ACTS.read.tier : ACTS[act].tier;
}

/** An optional key matters only where a repeat would have the effect again. */
function repeatByKey(act: ProjectedAct, key: KeyNeed | undefined): RepeatSpelling | undefined {
  if (key === undefined || act === 'estimate' || ACTS[act].change === 'nothing') return undefined;
  const settles = ACTS[act].repeat.kind === 'end-state';
  return settles && key === 'optional' ? undefined : `key-${key}`;
}

function usualObject(
  { path, id }: Endpoint,
  act: ProjectedAct,
  [product]: readonly string[],
): string {
  if (BUILDERS_OF_MONEY.has(act)) return 'money';
  const named = path.split('/').findLast((segment) => segment !== '' && !segment.includes('{'));
  return product ?? asText(named) ?? id ?? path;
}

/** Their object is what is counted, which a document does not say. */
const BUILDERS_OF_MONEY: ReadonlySet<ProjectedAct> = new Set(['spend', 'refund', 'estimate']);
