/**
 * Reads the whole effect that a server declares in `_meta`, strictly: anything but a valid effect
 * counts as none.
 */
import type { Act } from '../act.ts';
import { ACTS } from '../act.ts';
import { combineEffects } from '../combine-effects.ts';
import type { Condition, Effect, Money, Variation } from '../effect.ts';
import { DEEPEST_VARIATION, MODES, MOST_VARIATIONS, MOVES, REACHES, TRACES } from '../effect.ts';
import { META_KEYS } from '../meta-keys.ts';
import type { Repeat } from '../repeat.ts';
import { agrees, joinContracts } from '../repeat.ts';
import { isTier, TIERS } from '../tier.ts';

type Json = Readonly<Record<string, unknown>>;

const FACTS =
  'act object tier repeat reach trace money secrets overwrites reversible modes varies also'.split(
    ' ',
  );

/** The declared effect of a tool, or nothing when none is declared or any part is invalid. */
export function readDeclaredEffect(tool: unknown): Effect | undefined {
  return toEffect(own(toObject(own(toObject(tool), '_meta')), META_KEYS.effect.key), 0);
}

function toEffect(value: unknown, depth: number): Effect | undefined {
  const said = toObject(value);
  if (said === undefined || !Object.keys(said).every((key) => FACTS.includes(key)))
    return undefined;
  const { act, object, tier, overwrites, reversible } = said;
  const repeat = toRepeat(said['repeat']);
  const reach = oneOf(REACHES, said['reach']);
  const trace = oneOf(TRACES, said['trace']);
  const money = said['money'] === undefined ? undefined : toMoney(said['money']);
  const secrets = toList(said['secrets'], (one) => (typeof one === 'string' ? one : undefined));
  const modes = toList(said['modes'], (one) => oneOf(MODES, one));
  const varies = toList(said['varies'] ?? [], (one) => toVariation(one, depth + 1));
  const also = toList(said['also'] ?? [], (one) => toPart(one, depth + 1));
  if (!isAct(act) || !isTier(tier) || typeof object !== 'string') return undefined;
  if (TIERS[tier].readsOnly !== TIERS[ACTS[act].tier].readsOnly) return undefined;
  if (typeof overwrites !== 'boolean' || typeof reversible !== 'boolean') return undefined;
  if (repeat === undefined || reach === undefined || trace === undefined) return undefined;
  if (secrets === undefined || modes === undefined || varies === undefined) return undefined;
  if (also === undefined) return undefined;
  if ((money === undefined) !== (said['money'] === undefined)) return undefined;
  const facts = {
    act,
    object: object.slice(0, 100),
    tier,
    repeat,
    reach,
    trace,
    secrets,
    overwrites,
  };
  const main = Object.freeze({
    ...facts,
    reversible,
    modes,
    varies,
    ...(money !== undefined && { money }),
  });
  // Combined again, so that no fact of the whole is milder than those of its parts.
  return also.length === 0 ? main : Object.freeze({ ...combineEffects([main, ...also]), varies });
}

/** One of several acts of a call: it neither varies nor has parts of its own. */
function toPart(value: unknown, depth: number): Effect | undefined {
  if (depth > DEEPEST_VARIATION) return undefined;
  const part = toEffect(value, depth);
  return part === undefined || part.varies.length > 0 || part.also !== undefined ? undefined : part;
}

function toVariation(value: unknown, depth: number): Variation | undefined {
  if (depth > DEEPEST_VARIATION) return undefined;
  const said = toObject(value);
  const when = toCondition(said?.['when']);
  const effect = toEffect(said?.['effect'], depth);
  return when === undefined || effect === undefined ? undefined : { when, effect };
}

function toCondition(value: unknown): Condition | undefined {
  const said = toObject(value);
  const { argument, state } = said ?? {};
  if (typeof state === 'string') return argument === undefined ? { state } : undefined;
  if (typeof argument !== 'string') return undefined;
  if (said?.['given'] === true && said['is'] === undefined) return { argument, given: true };
  const is = toList(said?.['is'], (one) =>
    typeof one === 'string' || typeof one === 'number' || typeof one === 'boolean'
      ? one
      : undefined,
  );
  return is === undefined || is.length === 0 || said?.['given'] !== undefined
    ? undefined
    : { argument, is };
}

function toRepeat(value: unknown): Repeat | undefined {
  const said = toObject(value);
  const only = toContract(said);
  if (only === undefined || said?.['also'] === undefined) return only;
  const also = toList(said['also'], (one) => toContract(toObject(one)));
  if (also === undefined || also.length === 0) return undefined;
  const all = joinContracts([only, ...also]);
  return agrees(all) ? all : undefined;
}

function toContract(said: Json | undefined): Repeat | undefined {
  const need = oneOf(['required', 'optional', 'derived'] as const, said?.['need']);
  const result = oneOf(['same', 'differs'] as const, said?.['result']);
  switch (said?.['kind']) {
    case 'fresh':
      return { kind: 'fresh' };
    case 'end-state':
      return result === undefined ? undefined : { kind: 'end-state', result };
    case 'key':
      return need === undefined ? undefined : { kind: 'key', need };
    case 'version':
      return need === undefined || need === 'derived' ? undefined : { kind: 'version', need };
    default:
      return undefined;
  }
}

function toMoney(value: unknown): Money | undefined {
  const said = toObject(value);
  const moves = oneOf(MOVES, said?.['moves']);
  const { unit, estimate } = said ?? {};
  if (moves === undefined || typeof unit !== 'string') return undefined;
  if (estimate !== undefined && typeof estimate !== 'string') return undefined;
  return { moves, unit, ...(estimate !== undefined && { estimate }) };
}

function isAct(value: unknown): value is Act {
  return typeof value === 'string' && Object.hasOwn(ACTS, value);
}

function oneOf<T extends string>(allowed: readonly T[], value: unknown): T | undefined {
  return allowed.find((one) => one === value);
}

/** The whole list, or nothing when one of its entries is invalid. */
function toList<T>(
  value: unknown,
  read: (one: unknown) => T | undefined,
): readonly T[] | undefined {
  if (!Array.isArray(value) || value.length > MOST_VARIATIONS) return undefined;
  const list = value.flatMap((one: unknown) => read(one) ?? []);
  return list.length === value.length ? list : undefined;
}

function own(object: Json | undefined, key: string): unknown {
  return object !== undefined && Object.hasOwn(object, key) ? object[key] : undefined;
}

function toObject(value: unknown): Json | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  return value as Json; // a JSON object has string keys only
}
