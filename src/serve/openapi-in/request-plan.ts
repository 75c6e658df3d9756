/** How the arguments of one operation become an HTTP request: the plan, made once from the document. */
import type { Located } from './reference.ts';

/** An argument as the document has it, before its schema stands alone. */
export interface ReadArgument {
  readonly name: string;
  /** Where it goes, in a word for people. */
  readonly place: string;
  readonly schema: Located;
  readonly required: boolean;
  readonly description: string | undefined;
}

export interface RequestPlan {
  readonly method: string;
  /** With `{name}` where path parameters go. */
  readonly path: string;
  readonly parameters: readonly PlannedParameter[];
  readonly body?: PlannedBody;
}

export interface PlannedParameter {
  /** What the tool calls it; names that clients would not take are changed. */
  readonly argument: string;
  readonly name: string;
  readonly place: Place;
  readonly style: Style;
  readonly explode: boolean;
}

export type Place = 'path' | 'query' | 'header';

export type Style = 'simple' | 'form' | 'spaceDelimited' | 'pipeDelimited' | 'deepObject' | 'json';

export interface PlannedBody {
  readonly contentType: string;
  /** Sent even when no argument is for it. */
  readonly required: boolean;
  /** The body's fields are arguments of their own, or the whole body is one argument. */
  readonly arguments: readonly string[] | 'body';
  /** The field that takes the idempotency key of the call. */
  readonly keyField?: string;
}

/** Whether an API wants an idempotency key. */
export type KeyNeed = 'required' | 'optional';

/** What clients take as the name of an argument. */
export const ARGUMENT_NAME: RegExp = /^[\w.-]{1,64}$/;
