/** Turns a declaration into a frozen operation, or throws with all its faults at once. */
import type { Fault } from './declaration-faults.ts';
import { checkDeclaration } from './declaration-faults.ts';
import type { Partner } from './partner.ts';
import { OPAQUE } from './partner.ts';
import type { Effect } from './effect.ts';
import { takesKey, withKeyArgument } from './idempotency-key.ts';
import type { Answer, Call, Icon, Operation, Principal } from './operation.ts';
import type { InferInput, InferOutput, JsonSchema, Schema } from './schema.ts';
import { toInputSchema, toOutputSchema } from './schema.ts';

export interface OperationInit<Input extends Schema, Output extends Schema> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  /** What `run` returns; checked before it leaves. */
  readonly output?: Output;
  readonly effect: Effect;
  readonly scopes?: readonly string[];
  readonly produces?: readonly string[];
  readonly icons?: readonly Icon[];
  /** Where the effect happens, for keyed operations. Default: `opaque`, the most cautious. */
  readonly partner?: Partner;
  /**
   * Which of the states in `whenState` hold for this input; asked before the call is reserved and run.
   * Name every one that may hold by then: what cannot be told is taken for the worst.
   */
  readonly states?: (
    input: InferOutput<Input>,
    principal: Principal | undefined,
  ) => readonly string[] | Promise<readonly string[]>;
  readonly run: (
    input: InferOutput<Input>,
    call: Call,
  ) => Answer<InferInput<Output>> | Promise<Answer<InferInput<Output>>>;
}

export function defineOperation<Input extends Schema, Output extends Schema = Schema>(
  init: OperationInit<Input, Output>,
): Operation {
  const inputSchema = toInputSchema(init.input);
  const listed = takesKey(init.effect) ? withKeyArgument(inputSchema) : inputSchema;
  const operation: Operation = {
    name: init.name,
    title: init.title,
    description: init.description,
    effect: init.effect,
    scopes: Object.freeze([...(init.scopes ?? [])]),
    produces: Object.freeze([...(init.produces ?? [])]),
    input: init.input,
    inputSchema: listed,
    addsKeyArgument: listed !== inputSchema,
    partner: init.partner ?? OPAQUE,
    ...(init.output !== undefined && {
      output: init.output,
      outputSchema: toOutputSchema(init.output),
    }),
    ...(init.icons !== undefined && { icons: init.icons }),
    ...(init.states !== undefined && { states: init.states }),
    run: init.run,
  };
  const parsedSchema = init.effect.varies.length === 0 ? undefined : toParsedSchema(init.input);
  const faults = checkDeclaration({
    ...operation,
    ...(parsedSchema !== undefined && { parsedSchema }),
  });
  if (faults.length > 0) throw new DeclarationError(faults);
  return Object.freeze(operation);
}

/** Schema libraries cannot write down what a function returns. */
function toParsedSchema(input: Schema): JsonSchema | undefined {
  try {
    return toOutputSchema(input);
  } catch {
    return undefined;
  }
}

/** An invalid declaration. The author fixes it; code does not catch it. */
export class DeclarationError extends Error {
  override readonly name = 'DeclarationError';
  readonly faults: readonly Fault[];

  constructor(faults: readonly Fault[]) {
    super(faults.map((fault) => fault.message).join('\n'));
    this.faults = faults;
  }
}
