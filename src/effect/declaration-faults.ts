/**
 * Finds what is always wrong in a declaration, before it is served. Pure: returns faults as data, each
 * with what to write instead. `docs/declaring.md` lists the codes.
 */
import { ACTS } from './act.ts';
import type { Effect } from './effect.ts';
import { possibleEffects } from './effect.ts';
import type { Declaration } from './operation.ts';
import type { JsonSchema } from './schema.ts';
import { propertiesOf } from './schema.ts';
import { isScope } from './scope.ts';
import { isTier, TIER_NAMES, TIERS } from './tier.ts';

const CODES = [
  'name-not-allowed',
  'title-missing',
  'title-is-name',
  'description-missing',
  'tier-unknown',
  'tier-against-act',
  'tier-without-reason',
  'read-that-changes',
  'spend-without-contract',
  'secret-without-reason',
  'secret-not-in-output',
  'scope-not-allowed',
  'input-not-object',
  'parameter-undescribed',
  'variation-of-unknown-argument',
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
}

const NAME = /^[A-Za-z0-9_.-]{1,128}$/;

export function checkDeclaration(declared: Declared): readonly Fault[] {
  return [
    ...checkWords(declared),
    ...possibleEffects(declared.effect).flatMap((effect) => [...checkEffect(declared, effect)]),
    ...checkScopes(declared),
    ...checkParameters(declared),
  ];
}

function* checkWords(declared: Declared): Generator<Fault> {
  const { name, title, description } = declared;
  if (!NAME.test(name)) {
    yield fault(declared, 'name-not-allowed', `write 1 to 128 letters, digits, "_", "-" or "."`);
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
  if (!isTier(tier)) {
    const known = TIER_NAMES.join(', ');
    yield fault(declared, 'tier-unknown', `"${String(tier)}" is not a tier; write one of ${known}`);
    return;
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
    if (declared.outputSchema === undefined || !(secret in propertiesOf(declared.outputSchema))) {
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
  for (const { when } of declared.effect.varies) {
    if (!(when.argument in parameters)) {
      yield fault(
        declared,
        'variation-of-unknown-argument',
        `the effect varies by "${when.argument}", which is not a parameter`,
      );
    }
  }
}

function fault({ name }: Declared, code: FaultCode, message: string): Fault {
  return { code, operation: name, message: `${name}: ${message} (${code})` };
}
