/**
 * Finds what is always wrong in a declaration, before it is served. Pure: returns faults as data, each
 * with what to write instead. `docs/declaring.md` lists the codes.
 */
import { ACTS } from './act.ts';
import type { Effect } from './effect.ts';
import {
  DEEPEST_VARIATION,
  effectsOf,
  MOST_VARIATIONS,
  possibleEffects,
  statesOf,
} from './effect.ts';
import { acceptsKeys, KEY_ARGUMENT, takesKey } from './idempotency-key.ts';
import { closedValues } from './narrow-effect.ts';
import type { Declaration, Operation } from './operation.ts';
import { agrees } from './repeat.ts';
import type { JsonSchema } from './schema.ts';
import { propertiesOf } from './schema.ts';
import { isScope } from './operation.ts';
import { findUnknownFact } from './unknown-fact.ts';
import { isTier, TIER_NAMES, TIERS } from './tier.ts';

const CODES = [
  'name-not-allowed',
  'title-missing',
  'title-is-name',
  'description-missing',
  'fact-unknown',
  'tier-unknown',
  'tier-against-act',
  'tier-without-reason',
  'read-that-changes',
  'read-under-key',
  'spend-without-contract',
  'secret-without-reason',
  'secret-not-in-output',
  'scope-not-allowed',
  'input-not-object',
  'parameter-undescribed',
  'key-argument-unusable',
  'variation-of-unknown-argument',
  'variation-of-unknown-value',
  'variations-too-many',
  'repeats-contradict',
  'states-not-read',
] as const;

export type FaultCode = (typeof CODES)[number];

export const FAULT_CODES: readonly FaultCode[] = Object.freeze(CODES);

export interface Fault {
  readonly code: FaultCode;
  readonly operation: string;
  /** What is wrong and what to write instead. */
  readonly message: string;
}

export interface Declared extends Declaration {
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  /** What the input schema turns arguments into, where it can say so. */
  readonly parsedSchema?: JsonSchema;
  readonly states?: Operation['states'];
}

const NAME = /^(?=.*[A-Za-z0-9])[A-Za-z0-9_.-]{1,128}$/;

export function checkDeclaration(declared: Declared): readonly Fault[] {
  return [
    ...checkWords(declared),
    ...possibleEffects(declared.effect)
      .flatMap(effectsOf)
      .flatMap((effect) => [...checkEffect(declared, effect)]),
    ...checkScopes(declared),
    ...checkParameters(declared),
    ...checkVariations(declared, declared.effect, 1),
    ...checkStates(declared),
  ];
}

function* checkWords(declared: Declared): Generator<Fault> {
  const { name, title, description } = declared;
  if (!NAME.test(name)) {
    yield fault(
      declared,
      'name-not-allowed',
      `write 1 to 128 letters, digits, "_", "-" or ".", not marks only`,
    );
  }
  if (title.trim() === '') {
    yield fault(declared, 'title-missing', `write a title for people, such as "Delete Note"`);
  } else if (title === name) {
    yield fault(
      declared,
      'title-is-name',
      `the title repeats the name; write what a person would call it`,
    );
  }
  if (description.trim() === '') {
    yield fault(declared, 'description-missing', `write one sentence on what the operation does`);
  }
}

function* checkEffect(declared: Declared, effect: Effect): Generator<Fault> {
  const { act, tier } = effect;
  const unknown = findUnknownFact(effect);
  if (unknown !== undefined) {
    yield fault(declared, 'fact-unknown', `${unknown}; docs/declaring.md lists the values`);
    return;
  }
  if (!isTier(tier)) {
    const known = TIER_NAMES.join(', ');
    yield fault(declared, 'tier-unknown', `"${String(tier)}" is not a tier; write one of ${known}`);
    return;
  }
  if (!agrees(effect.repeat)) {
    yield fault(
      declared,
      'repeats-contradict',
      `its repeat contracts cannot hold at once; name each kind once, and 'fresh' only alone`,
    );
  }
  const usual = ACTS[act].tier;
  if (TIERS[tier].readsOnly !== (ACTS[act].change === 'nothing')) {
    yield fault(
      declared,
      'tier-against-act',
      `"${act}" cannot be of tier "${tier}"; use the builder of the act it actually performs`,
    );
  } else if (tier !== usual && effect.tierReason === undefined) {
    yield fault(
      declared,
      'tier-without-reason',
      `"${act}" is usually "${usual}"; to state "${tier}" add tierReason`,
    );
  }
  if (TIERS[tier].readsOnly && (effect.overwrites || !effect.reversible)) {
    yield fault(
      declared,
      'read-that-changes',
      `a read cannot overwrite or be irreversible; use updates() or deletes()`,
    );
  }
  if (TIERS[tier].readsOnly && effect.repeat.kind === 'key') {
    yield fault(
      declared,
      'read-under-key',
      `a read has nothing to do once, and under a key it would return old data; leave out repeat`,
    );
  }
  if (TIERS[tier].needsRepeatContract && effect.repeat.kind === 'fresh') {
    yield fault(
      declared,
      'spend-without-contract',
      `a spend must say what a repeat does; add repeat: 'key-required'`,
    );
  }
  if (
    effect.secrets.length > 0 &&
    !TIERS[tier].issuesSecrets &&
    effect.secretsReason === undefined
  ) {
    yield fault(
      declared,
      'secret-without-reason',
      `a one-time secret belongs to shares(); to return one from "${act}" add secretsReason`,
    );
  }
  for (const secret of effect.secrets) {
    if (
      declared.outputSchema === undefined ||
      !Object.hasOwn(propertiesOf(declared.outputSchema), secret)
    ) {
      yield fault(
        declared,
        'secret-not-in-output',
        `secret "${secret}" is not a field of the output schema; name the field that holds it`,
      );
    }
  }
}

function* checkScopes(declared: Declared): Generator<Fault> {
  for (const scope of declared.scopes) {
    if (!isScope(scope)) {
      yield fault(
        declared,
        'scope-not-allowed',
        `"${scope}" cannot be required; write resource:action without wildcards`,
      );
    }
  }
}

function* checkParameters(declared: Declared): Generator<Fault> {
  if (declared.inputSchema['type'] !== 'object') {
    yield fault(
      declared,
      'input-not-object',
      `the input must be an object; wrap it in z.object({ … })`,
    );
    return;
  }
  const parameters = propertiesOf(declared.inputSchema);
  for (const [name, schema] of Object.entries(parameters)) {
    const { description } = schema;
    if (typeof description !== 'string' || description.trim() === '') {
      yield fault(
        declared,
        'parameter-undescribed',
        `parameter "${name}" has no description; add .describe('…')`,
      );
    }
  }
  if (takesKey(declared.effect) && !acceptsKeys(parameters[KEY_ARGUMENT])) {
    yield fault(
      declared,
      'key-argument-unusable',
      `parameter "${KEY_ARGUMENT}" accepts no key; leave it out and it is added, or use z.string()`,
    );
  }
}

/** A condition on the store that nobody evaluates would make every call the worst case. */
function* checkStates(declared: Declared): Generator<Fault> {
  const [first] = statesOf(declared.effect);
  if ((first === undefined) === (declared.states === undefined)) return;
  const message =
    first === undefined
      ? 'states are read, but no effect depends on one; remove states, or use whenState()'
      : `the effect depends on the state "${first}"; add states, which says what holds`;
  yield fault(declared, 'states-not-read', message);
}

function* checkVariations(declared: Declared, effect: Effect, depth: number): Generator<Fault> {
  if (effect.varies.length === 0) return;
  if (depth > DEEPEST_VARIATION || effect.varies.length > MOST_VARIATIONS) {
    const most = `${MOST_VARIATIONS} variations on each of ${DEEPEST_VARIATION} levels`;
    yield fault(
      declared,
      'variations-too-many',
      `an effect has at most ${most}; split the operation`,
    );
    return;
  }
  const parameters = propertiesOf(declared.inputSchema);
  for (const { when, effect: other } of effect.varies) {
    yield* checkVariations(declared, other, depth + 1);
    if ('state' in when) continue;
    const { argument } = when;
    if (!Object.hasOwn(parameters, argument)) {
      yield fault(
        declared,
        'variation-of-unknown-argument',
        `the effect varies by "${argument}", which is not a parameter`,
      );
    } else if ('is' in when && !canBe(declared, argument, when.is)) {
      yield fault(
        declared,
        'variation-of-unknown-value',
        `"${argument}" is never one of ${JSON.stringify(when.is)}; write values that its schema has`,
      );
    }
  }
}

/** Whether each value can occur: as it is sent, or as the schema parses it. */
function canBe(declared: Declared, argument: string, values: readonly unknown[]): boolean {
  const { inputSchema, parsedSchema } = declared;
  const isAccepted = (value: unknown): boolean =>
    accepts(propertiesOf(inputSchema)[argument], value) ||
    parsedSchema === undefined ||
    accepts(propertiesOf(parsedSchema)[argument], value);
  return values.length > 0 && values.every(isAccepted);
}

/** As far as the schema lists its values or names their types. */
function accepts(schema: JsonSchema | undefined, value: unknown): boolean {
  if (schema === undefined) return true;
  const listed = closedValues(schema);
  if (listed !== undefined) return listed.includes(value);
  const { type, anyOf = schema['oneOf'] } = schema;
  if (Array.isArray(anyOf)) return anyOf.some((part: JsonSchema) => accepts(part, value));
  const types: readonly unknown[] = Array.isArray(type) ? type : [type];
  return types.some((one) => one === undefined || one === typeof value || isInteger(one, value));
}

function isInteger(type: unknown, value: unknown): boolean {
  return type === 'integer' && Number.isInteger(value);
}

function fault({ name }: Declared, code: FaultCode, message: string): Fault {
  return { code, operation: name, message: `${name}: ${message} (${code})` };
}
