/** `plimsoll`: the nouns. Effects, conventions and stamps, without any server. */
export type { Act, ActTraits, Change } from './effect/act.ts';
export { ACTS } from './effect/act.ts';
export type { Facts, SpendFacts } from './effect/acts.ts';
export {
  appends,
  archives,
  cancels,
  computes,
  creates,
  deletes,
  delivers,
  estimates,
  moves,
  provisions,
  puts,
  reads,
  refunds,
  revokes,
  sets,
  shares,
  spends,
  together,
  updates,
  varies,
  when,
  whenState,
} from './effect/acts.ts';
export type { Fault, FaultCode } from './effect/declaration-faults.ts';
export type { OperationInit } from './effect/define-operation.ts';
export { DeclarationError, defineOperation } from './effect/define-operation.ts';
export type { Discovery, Partner, EffectClass, LostCall } from './effect/partner.ts';
export type { Condition, Effect, Mode, Money, Reach, Trace, Variation } from './effect/effect.ts';
export { effectsOf, possibleEffects, worstTier } from './effect/effect.ts';
export { narrowEffect } from './effect/narrow-effect.ts';
export type { HintName, Hints } from './effect/hints.ts';
export { HINT_DEFAULTS, HINT_NAMES } from './effect/hints.ts';
export type { Convention, ConventionException } from './effect/convention.ts';
export { defineConvention, withExceptions } from './effect/convention.ts';
export { closient } from './effect/conventions/closient.ts';
export { epd } from './effect/conventions/epd.ts';
export { geopera } from './effect/conventions/geopera.ts';
export { nextcloud } from './effect/conventions/nextcloud.ts';
export { plimsoll } from './effect/conventions/plimsoll.ts';
export type { CallMetaField, MetaField } from './effect/meta-keys.ts';
export { CALL_META_KEYS, META_KEYS } from './effect/meta-keys.ts';
export type {
  Answer,
  Call,
  Declaration,
  Icon,
  IssuedSecret,
  LocalTransaction,
  Operation,
  Principal,
  Reply,
  SecretInit,
  SecretIssuer,
} from './effect/operation.ts';
export { reply } from './effect/operation.ts';
export type { Claim, StampFinding, StampFindingCode, StampReading } from './effect/read-stamp.ts';
export { readStamp } from './effect/read-stamp.ts';
export type { InferredEffect } from './effect/infer/infer-effect.ts';
export { inferCall } from './effect/infer/infer-call.ts';
export type { InferredCall } from './effect/infer/infer-call.ts';
export { inferEffect } from './effect/infer/infer-effect.ts';
export type { Reason, ReasonCode, ReasonSource } from './effect/infer/reason.ts';
export type { Evidence, Pin, Trust } from './effect/infer/trust.ts';
export type { Repeat, RepeatSpelling } from './effect/repeat.ts';
export type { ClassLists, SafetyClass } from './effect/safety-class.ts';
export { checkClassLists, expandNames, safetyClassOf } from './effect/safety-class.ts';
export type { InferInput, InferOutput, JsonSchema, Schema } from './effect/schema.ts';
export type { Stamp } from './effect/stamp.ts';
export { stamp } from './effect/stamp.ts';
export type { RetryRule, Tier, TierTraits } from './effect/tier.ts';
export { TIER_NAMES, TIERS } from './effect/tier.ts';
