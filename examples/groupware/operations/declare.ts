/**
 * How the tools are defined: each gets the account of its caller, set up before its first use, and its
 * description ends with the scopes that it requires.
 */
import type {
  Answer,
  Call,
  InferInput,
  InferOutput,
  Operation,
  OperationInit,
  Schema,
} from 'plimsoll/server';
import { defineOperation, ProblemError } from 'plimsoll/server';
import type { Access } from '../access/access.ts';
import type { Account, Backend } from '../backend.ts';
import type { SemanticIndex } from '../semantic/semantic-index.ts';

export interface Groupware {
  readonly backend: Backend;
  readonly semantic: SemanticIndex;
  readonly access: Access;
  /** The zone of times that state none. */
  readonly zone: string;
  readonly now: () => Date;
}

/** The reach of nearly every tool: the caller's own account on the backend. */
export const ownAccount = { reach: 'own-account' } as const;

export interface ToolInit<Input extends Schema, Output extends Schema> extends Omit<
  OperationInit<Input, Output>,
  'run' | 'scopes'
> {
  readonly scopes: readonly string[];
  readonly run: (
    input: InferOutput<Input>,
    account: Account,
    call: Call,
  ) => Promise<Answer<InferInput<Output>>>;
}

export function declare<Input extends Schema, Output extends Schema>(
  { backend }: Groupware,
  { run, description, ...init }: ToolInit<Input, Output>,
): Operation {
  const scopes = init.scopes.join(' and ');
  return defineOperation<Input, Output>({
    ...init,
    description: `${description} Requires the scope ${scopes}.`.replace(
      /scope (\S+ and)/,
      'scopes $1',
    ),
    run: async (input, call) => {
      const user = call.principal?.id;
      // Every tool requires a scope, and only principals have scopes.
      if (user === undefined) throw new ProblemError('unauthenticated', 'Sign in first.');
      await backend.prepare(user);
      return run(input, backend.account(user), call);
    },
  });
}
