/**
 * Why an endpoint gets no tool. Excluded: of a kind that is not suitable as a tool; nothing is wrong.
 * Refused: something must be fixed first. `docs/openapi-in.md` lists the codes.
 */
import type { FaultCode } from '../../effect/declaration-faults.ts';

export type ExclusionCode =
  | 'operation-id-missing'
  | 'excluded-by-overlay'
  | 'method-not-forwarded'
  | 'admin'
  | 'image'
  | 'binary-download'
  | 'stream'
  | 'body-not-json'
  | 'untyped';

/** Every kind of exclusion, with the reason that is given for it. */
export const EXCLUSIONS: Readonly<Record<ExclusionCode, string>> = Object.freeze({
  'operation-id-missing':
    'It has no operationId, and a tool is named after that; add one to give it a tool.',
  'excluded-by-overlay': 'The overlay excludes it.',
  'method-not-forwarded': 'Only GET, HEAD, POST, PUT, PATCH and DELETE are forwarded.',
  admin: 'It is for administrators, schedulers or internal use, not for agents.',
  image:
    'It answers with a picture or a map tile, which is for a viewer; link to it in another result.',
  'binary-download':
    'It answers with a file, which does not belong in a context window; return a signed URL in another result.',
  stream: 'It answers with a stream, and a tool returns one result; use the paged sibling.',
  'body-not-json': 'It takes a body that is not JSON, and arguments of tools are JSON.',
  untyped:
    'It spends or destroys, and its body has no typed fields, so nobody can judge a call before it is made.',
});

const REFUSALS = [
  'document-unreadable',
  'endpoint-unreadable',
  'path-not-allowed',
  'path-parameter-missing',
  'name-taken',
  'name-collision',
  'tier-missing',
  'tier-unknown',
  'extension-invalid',
  'overlay-invalid',
  'overlay-unused',
  'estimate-missing',
  'estimate-without-spend',
  'style-unsupported',
  'reference-remote',
  'reference-broken',
  'reference-cycle',
  'schema-too-large',
  'schema-unusable',
] as const;

export const REFUSAL_CODES: readonly (typeof REFUSALS)[number][] = Object.freeze(REFUSALS);

/** Faults of the declaration itself keep their own codes. */
export type RefusalCode = (typeof REFUSALS)[number] | FaultCode;

interface Finding<Code extends string> {
  /** The operationId, or the endpoint if there is none. */
  readonly operation: string;
  /** `GET /notes/{id}`; absent when the finding is about no single endpoint. */
  readonly endpoint?: string;
  readonly code: Code;
  /** Why, and where it can be fixed, what to write. */
  readonly sentence: string;
}

export type Exclusion = Finding<ExclusionCode>;
export type Refusal = Finding<RefusalCode>;

/** Thrown from any depth; `projectOpenApi` turns it into a finding. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly code: RefusalCode;

  constructor(code: RefusalCode, sentence: string) {
    super(sentence);
    this.code = code;
  }
}
