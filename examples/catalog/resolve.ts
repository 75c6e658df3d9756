/**
 * Decides where a GTIN leads: rules from serial to organisation, then by order_index; the first that
 * matches wins. Pure: it takes the rules of one product and the time, and opens no URL.
 */
import type { Day, Rule, Scope, TimeCriteria, Window } from './rule.ts';
import { DAYS, SCOPES } from './rule.ts';

export interface ResolveRequest {
  readonly gtin14: string;
  readonly lot?: string | undefined;
  readonly serial?: string | undefined;
  /** Defaults to the product page: scanning a code should not lead to a recall notice. */
  readonly linkType?: string | undefined;
}

type ReasonCode =
  | 'matched'
  | 'serial-differs'
  | 'lot-differs'
  | 'link-type-differs'
  | 'outside-absolute-window'
  | 'outside-annual-window'
  | 'outside-days'
  | 'outside-hours'
  | 'url-down-skipped'
  | 'url-down-hosted'
  | 'no-rule-matched';

/** Why a rule was skipped or chosen. */
interface Reason {
  readonly ruleId: string | null;
  readonly code: ReasonCode;
}

export interface Resolution {
  readonly scope: Scope | 'default';
  readonly ruleId: string | null;
  readonly destinationType: 'HOSTED_PAGE' | 'CUSTOM_URL';
  readonly url: string;
  readonly linkType: string;
  /** One for each rule that was considered, in order. */
  readonly reasons: readonly Reason[];
}

/** GS1's product information page: the default link type. */
const DEFAULT_LINK_TYPE = 'gs1:pip';

const HOSTED_PAGES = 'https://www.catalog.example/products';

export function resolve(rules: readonly Rule[], request: ResolveRequest, now: Date): Resolution {
  const reasons: Reason[] = [];
  for (const rule of rules.toSorted(byPrecedence)) {
    const obstacle = obstacleOf(rule, request, now);
    if (obstacle === undefined) return follow(rule, request, reasons);
    reasons.push({ ruleId: rule.id, code: obstacle });
  }
  reasons.push({ ruleId: null, code: 'no-rule-matched' });
  return settle({
    scope: 'default',
    ruleId: null,
    destinationType: 'HOSTED_PAGE',
    url: hostedPage(request.gtin14, DEFAULT_LINK_TYPE),
    linkType: DEFAULT_LINK_TYPE,
    reasons,
  });
}

function follow(rule: Rule, request: ResolveRequest, passedOver: readonly Reason[]): Resolution {
  const { id, scope, destination } = rule;
  const linkType = wantedType(request);
  if (destination.type === 'CUSTOM_URL' && !destination.isDown) {
    return settle({
      scope,
      ruleId: id,
      destinationType: 'CUSTOM_URL',
      url: destination.url,
      linkType,
      reasons: [...passedOver, { ruleId: id, code: 'matched' }],
    });
  }
  return settle({
    scope,
    ruleId: id,
    destinationType: 'HOSTED_PAGE',
    url: hostedPage(request.gtin14, linkType),
    linkType,
    reasons: [
      ...passedOver,
      { ruleId: id, code: destination.type === 'CUSTOM_URL' ? 'url-down-hosted' : 'matched' },
    ],
  });
}

/** The first reason why a rule does not apply. */
function obstacleOf(rule: Rule, request: ResolveRequest, now: Date): ReasonCode | undefined {
  if (rule.scope === 'serial' && rule.qualifier !== request.serial) return 'serial-differs';
  if (rule.scope === 'batch' && rule.qualifier !== request.lot) return 'lot-differs';
  if (rule.linkType !== null && rule.linkType !== wantedType(request)) return 'link-type-differs';
  const { destination } = rule;
  const skipped =
    destination.type === 'CUSTOM_URL' && destination.isDown && destination.whenDown === 'skip';
  return timeObstacleOf(rule.when, now) ?? (skipped ? 'url-down-skipped' : undefined);
}

function wantedType(request: ResolveRequest): string {
  return request.linkType ?? DEFAULT_LINK_TYPE;
}

function timeObstacleOf(when: TimeCriteria, now: Date): ReasonCode | undefined {
  const { absolute, annual, days, hours } = when;
  if (absolute !== undefined && !isBetween(absolute, now)) return 'outside-absolute-window';
  const iso = now.toISOString();
  if (annual !== undefined && !isInSeason(annual, iso.slice(5, 10))) return 'outside-annual-window';
  if (days !== undefined && !days.includes(dayOf(now))) return 'outside-days';
  if (hours !== undefined && !isInHours(hours, iso.slice(11, 16))) return 'outside-hours';
  return undefined;
}

/** A bound that is not a date never applies, as every comparison with NaN is false. */
function isBetween(window: { from?: string; until?: string }, now: Date): boolean {
  const { from, until } = window;
  if (from !== undefined && !(now.getTime() >= Date.parse(from))) return false;
  return until === undefined || now.getTime() < Date.parse(until);
}

function isInSeason({ from, to }: Window, day: string): boolean {
  return from <= to ? from <= day && day <= to : from <= day || day <= to;
}

function isInHours({ from, to }: Window, time: string): boolean {
  return from <= to ? from <= time && time < to : from <= time || time < to;
}

function dayOf(now: Date): Day {
  return DAYS[now.getUTCDay()] ?? 'sun';
}

/** Equal precedence falls back to the id, so that the answer never depends on row order. */
function byPrecedence(left: Rule, right: Rule): number {
  return (
    SCOPES.indexOf(left.scope) - SCOPES.indexOf(right.scope) ||
    left.orderIndex - right.orderIndex ||
    (left.id < right.id ? -1 : 1)
  );
}

function hostedPage(gtin14: string, linkType: string): string {
  const page = `${HOSTED_PAGES}/${gtin14}`;
  if (linkType === DEFAULT_LINK_TYPE) return page;
  return `${page}?${new URLSearchParams({ linkType }).toString()}`;
}

function settle(resolution: Resolution): Resolution {
  return Object.freeze({
    ...resolution,
    reasons: Object.freeze(resolution.reasons.map((reason) => Object.freeze(reason))),
  });
}
