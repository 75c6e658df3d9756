/** A call at the gate: what was asked for, by whom, of which tool, and what it would do. */
import type { Effect } from '../../effect/effect.ts';
import type { InferredEffect } from '../../effect/infer/infer-effect.ts';
import type { Terms } from '../policy/verdict.ts';
import type { Delivery } from '../protocol/channel.ts';
import type { Caller, Frame, JsonObject, RpcId } from '../protocol/frame.ts';
import type { KeySlot } from '../tools/key-slot.ts';

/** A tool as its server lists it, and what it was read to do. */
export interface KnownTool {
  readonly name: string;
  readonly definition: JsonObject;
  /** Digest of the definition. */
  readonly hash: string;
  readonly inferred: InferredEffect;
  /** It got riskier than what a person accepted, or is listed twice in different words. */
  readonly isQuarantined: boolean;
  /** Where it takes an idempotency key, if it does. */
  readonly slot: KeySlot | undefined;
  /** Whoever runs the gate believes that one key has one effect there. */
  readonly dedups: boolean;
}

export interface GateCall {
  readonly id: RpcId;
  readonly frame: Frame;
  readonly caller: Caller;
  readonly tool: KnownTool;
  /** Of these arguments. */
  readonly effect: Effect;
  readonly args: JsonObject;
  /** The very text of the arguments; empty when there are none. */
  readonly argumentsText: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
}

/** What a call can do while it is under way; each wire brings its own. */
export interface CallPort {
  /** Sends bytes to the server under the call's own id and waits for the answer. */
  send(bytes: Uint8Array, headers?: Readonly<Record<string, string>>): Promise<Delivery>;
  /** A request of the gate's own to the same server. */
  request(method: string, params: JsonObject): Promise<Delivery>;
  /** Puts a question to the client, where its era lets us push one. */
  elicit(params: JsonObject): Promise<JsonObject | undefined>;
  /** Something that the client should hear while it waits. */
  notify(frame: Frame): void;
  /** What the client can show: declared with the call or when it connected. */
  readonly canElicit: { readonly form: boolean; readonly url: boolean };
  /** Aborted when the client no longer waits. */
  readonly signal: AbortSignal;
}

/** Why a call may run: a rule, a yes, or a grant, and under which terms. */
export interface Permit {
  readonly rule: string;
  readonly terms: Terms;
  readonly by: PermitBasis;
  /** What the call will cost in whole units, as far as its estimate told. */
  readonly money?: number;
  /** What goes to the server, where that is not the frame as it came. */
  readonly bytes?: Uint8Array;
}

export type PermitBasis =
  | { readonly kind: 'policy' }
  | { readonly kind: 'approval'; readonly id: string }
  | { readonly kind: 'grant'; readonly id: string }
  | { readonly kind: 'continuation'; readonly id: string; readonly continuation: string };
