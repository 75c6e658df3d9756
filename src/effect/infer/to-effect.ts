/** Builds the effect from the act and the tier inferred for a foreign tool. */
import type { Act } from '../act.ts';
import { ACTS } from '../act.ts';
import type { Facts } from '../acts.ts';
import { BUILDERS } from '../acts.ts';
import type { Effect, Reach, Variation } from '../effect.ts';
import type { StampReading } from '../read-stamp.ts';
import type { RepeatSpelling } from '../repeat.ts';
import type { Tier } from '../tier.ts';
import { TIERS } from '../tier.ts';
import type { Choice } from './read-choices.ts';
import { DRY_RUN } from './read-choices.ts';
import type { Parameters } from './read-parameters.ts';
import type { Reason, Signal } from './reason.ts';
import { graverSignal } from './reason.ts';
import { toWords } from './to-words.ts';
import type { Trust } from './trust.ts';

type ReadFacts = Pick<Facts, 'tier' | 'tierReason' | 'reversible'>;

/** What is known about the tool apart from act and tier. */
export interface Circumstances {
  readonly reach: NonNullable<Facts['reach']>;
  /** For the act that was decided on; absent when the act's default applies. */
  readonly repeatOf: (act: Act) => Facts['repeat'];
  /** The server's own tool that estimates the price. */
  readonly estimate?: string | undefined;
}

/** The act used for a tier when the inferred act cannot have that tier. */
const ACT_OF_TIER: Readonly<Record<Tier, Act>> = {
  read: 'read',
  compute: 'update',
  share_export: 'share',
  external_spend: 'spend',
  destructive: 'delete',
};

export function toEffect(act: Act, tier: Tier, why: string, found: Circumstances): Effect {
  const own = ACTS[act].tier;
  const mixes = TIERS[own].readsOnly !== TIERS[tier].readsOnly;
  const fitting = mixes || TIERS[own].asks ? (own === tier ? act : ACT_OF_TIER[tier]) : act;
  const differs = ACTS[fitting].tier !== tier;
  const unsafe = TIERS[tier].asks ? { reversible: false } : {};
  const facts: ReadFacts = { ...(differs && { tier, tierReason: why }), ...unsafe };
  const repeat = found.repeatOf(fitting);
  return BUILDERS[fitting](TIERS[tier].issuesSecrets ? 'data' : 'unknown', {
    ...facts,
    reach: found.reach,
    ...(repeat !== undefined && { repeat }),
    ...(fitting === 'spend' && found.estimate !== undefined && { estimate: found.estimate }),
  });
}

/** How far a foreign tool reaches: to other people, to an address the caller gives, to a vendor's data, or no further than the account. */
const ADDRESS = /^(?:urls?|uri|webhook(?:_url)?|callback_url|link|website|page_url|href|endpoint)$/;
const PERSON =
  /^(?:recipients?|to|to_\w+|cc|bcc|emails?|email_address|phone(?:_number)?|attendees|invitees|share_with|destination(?:_address)?)$/;
const PUBLIC = new Set(
  `web internet news weather wikipedia arxiv scholar papers stock stocks crypto market maps geocode places
  docs documentation library packages npm pypi search scrape crawl youtube`.split(/\s+/),
);

export function deriveReach(
  act: Act,
  name: string,
  { all }: Parameters,
  { hints: { openWorldHint } }: StampReading,
  trusted: boolean,
): Reach {
  const takes = (pattern: RegExp): boolean => all.some(({ key }) => pattern.test(key));
  const reads = act === 'read';
  if (act === 'deliver') return 'third-party';
  if (takes(ADDRESS)) return reads ? 'user-url' : 'third-party';
  if (!reads && (act === 'share' || act === 'spend') && takes(PERSON)) return 'third-party';
  if (act === 'share') return 'third-party';
  if (openWorldHint.state === 'claimed') {
    if (openWorldHint.value) return 'vendor-data';
    if (trusted) return 'own-account';
  }
  return reads && toWords(name).some((word) => PUBLIC.has(word)) ? 'vendor-data' : 'own-account';
}

/** What a second identical call of a foreign tool does, as far as its schema and a trusted hint show. */
const KEY =
  /^(?:x_)?(?:idempotency_?(?:key|token|id)|client_(?:request_)?token|client_order_id|client_reference_id|dedup(?:lication|e)?_(?:id|key|token)|message_deduplication_id|request_uuid)$/;
const VERSION =
  /^(?:etag|e_tag|if_match|if_unmodified_since|expected_(?:version|revision|etag|sha)|resource_version|revision(?:_id)?|rev|version_token|lock_version|base_(?:version|revision)|last_known_\w+|sha)$/;
const ALTERS: ReadonlySet<Act> = new Set<Act>([
  'update',
  'put',
  'set',
  'move',
  'delete',
  'archive',
]);

export function deriveRepeat(
  act: Act,
  { all }: Parameters,
  { hints }: StampReading,
  trusted: boolean,
): RepeatSpelling | undefined {
  if (act === 'read') return undefined;
  const key = all.find((one) => KEY.test(one.key));
  if (key !== undefined) return key.required ? 'key-required' : 'key-optional';
  const version = ALTERS.has(act) ? all.find((one) => VERSION.test(one.key)) : undefined;
  if (version !== undefined) return version.required ? 'version-required' : 'version-optional';
  const { idempotentHint } = hints;
  if (idempotentHint.state === 'claimed') {
    if (!idempotentHint.value) return 'fresh';
    if (trusted) return 'end-state';
  }
  // The act's own contract requires a key; without one a repeat pays again.
  return act === 'spend' || act === 'refund' ? 'fresh' : undefined;
}

/** The effect without the choices; an open-ended verb is decided by them. */
function isFixed({ reason }: Signal, chosen: ReadonlySet<Reason>): boolean {
  if (reason.code === 'open-ended' || reason.code === 'noun-only' || reason.code === 'unreadable')
    return false;
  return !chosen.has(reason);
}

/** By the name of an argument, the gravest that all others can cause; a list may have any number of them. */
function othersOf(choices: readonly Choice[]): (name: string) => readonly Signal[] {
  const gravest = new Map<string, Signal>();
  for (const { parameter, signal } of choices) {
    if (signal === undefined) continue;
    const known = gravest.get(parameter.name);
    gravest.set(parameter.name, known === undefined ? signal : graverSignal(known, signal));
  }
  const all = [...gravest];
  const worstOf = (some: typeof all): (typeof all)[number] | undefined =>
    some.length === 0
      ? undefined
      : some.reduce((a, b) => (graverSignal(a[1], b[1]) === a[1] ? a : b));
  const first = worstOf(all);
  const second = worstOf(all.filter((one) => one !== first));
  return (name) => {
    const found = first?.[0] === name ? second : first;
    return found === undefined ? [] : [found[1]];
  };
}

export function deriveVariations(
  signals: readonly Signal[],
  choices: readonly Choice[],
  effectOf: (meant: Signal) => Effect,
): readonly Variation[] {
  const [worst] = signals;
  const chosen = new Set(choices.flatMap(({ signal }) => signal?.reason ?? []));
  const fixed = signals.filter((one) => isFixed(one, chosen));
  if (worst === undefined) return [];
  const gravest = fixed.slice(1).reduce(graverSignal, fixed[0] ?? worst);
  const isMild = fixed.length === 0 || TIERS[gravest.tier].severity < TIERS[worst.tier].severity;
  if (!isMild) return [];
  const findOthers = othersOf(choices);
  const milder = choices.flatMap(({ parameter, value, signal }): Variation[] => {
    if (signal === undefined || !parameter.top) return [];
    // What another argument can cause remains possible, whatever this one says.
    const rest = [...(fixed.length === 0 ? [] : [gravest]), ...findOthers(parameter.name)];
    if (typeof value === 'boolean' && rest.length === 0) return [];
    const meant = rest.reduce(graverSignal, signal);
    if (TIERS[meant.tier].severity >= TIERS[worst.tier].severity) return [];
    return [{ when: { argument: parameter.name, is: [value] }, effect: effectOf(meant) }];
  });
  if (milder.length === 0) return [];
  // What is chosen inside another argument counts as soon as that argument is there.
  const inner = choices.filter(({ parameter, signal }) => !parameter.top && signal !== undefined);
  const around = new Set(inner.map(({ parameter }) => parameter.within));
  const given = [...around].map((argument) => ({ argument, given: true }) as const);
  return [...milder, ...given.map((when) => ({ when, effect: effectOf(worst) }))];
}

/**
 * A dry run is a promise: a trusted server is believed, and of any other the one switch that somebody vouches for.
 * Neither outweighs what a lock that was found says of the tool.
 */
export function deriveRehearsal(
  { all }: Parameters,
  { trusted = false, dryRun, found: { pin, evidence } = {} }: Trust,
  rehearsal: Effect,
): readonly Variation[] {
  if ([pin, evidence].some((one) => one !== undefined && !TIERS[one.tier].readsOnly)) return [];
  return all
    .filter(({ key, top }) => top && DRY_RUN.test(key))
    .filter(({ name, isSwitch }) => trusted || (isSwitch && name === dryRun))
    .map(({ name }) => ({ when: { argument: name, is: [true] }, effect: rehearsal }));
}
