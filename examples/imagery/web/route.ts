/** One request to the shop's own HTTP server, as its handlers see it, and what they answer. */
import type { Problem } from 'plimsoll/server';

export interface WebRequest {
  readonly url: URL;
  /** The segments of the path that the endpoint names. */
  readonly params: Readonly<Record<string, string>>;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
  /** The body as a JSON object. */
  readonly body: () => Promise<Readonly<Record<string, unknown>>>;
  /** Runs an operation through its pipeline, as whoever sent the request; a refusal is thrown. */
  readonly call: <Result>(operation: string, args: object) => Promise<Result>;
}

export interface WebAnswer {
  readonly type: string;
  /** A stream begins only if its first part can be made. */
  readonly body: Buffer | string | AsyncGenerator<string>;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Handler = (request: WebRequest) => Promise<WebAnswer>;

/** What an operation refused, on its way to whoever called. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly problem: Problem;
  readonly challenge: string | undefined;

  constructor(problem: Problem, challenge?: string) {
    super(problem.detail);
    this.problem = problem;
    this.challenge = challenge;
  }
}

export function toJson(value: unknown): WebAnswer {
  return { type: 'application/json', body: JSON.stringify(value) };
}
