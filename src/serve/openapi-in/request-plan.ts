/** How the arguments of a tool become one HTTP request. Data; `build-request.ts` follows it. */

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
}

/** What clients take as the name of an argument. */
export const ARGUMENT_NAME = /^[\w.-]{1,64}$/;
