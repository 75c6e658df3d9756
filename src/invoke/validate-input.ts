/**
 * Third stage: arguments must fit the input schema exactly, and unknown ones are refused. What the schema
 * makes of them decides which effect the call has.
 */
import type { StandardSchemaV1 } from '@standard-schema/spec';
import { KEY_ARGUMENT } from '../effect/idempotency-key.ts';
import { narrowParsed } from '../effect/narrow-effect.ts';
import type { Operation } from '../effect/operation.ts';
import { propertiesOf } from '../effect/schema.ts';
import type { InputError } from '../lib/problem.ts';
import type { Stage } from './flow.ts';
import { go, refuse, stop } from './flow.ts';

export const validateInput: Stage = async (flow) => {
  if (flow.refusal !== undefined) return stop(flow.refusal);
  const { operation } = flow;
  const sent = flow.args ?? {};
  if (typeof sent !== 'object' || Array.isArray(sent)) {
    return refuse('invalid-request', 'The arguments are not a JSON object.', {
      remedy: 'Send the arguments as one JSON object.',
    });
  }
  const args = sent as Readonly<Record<string, unknown>>; // out of JSON, so with string keys only
  const unknown = unknownArguments(args, operation.inputSchema);
  const result = await operation.input['~standard'].validate(withoutAddedKey(args, operation));
  const errors = [...unknown, ...toInputErrors(result.issues ?? [])];
  if (errors.length > 0 || result.issues !== undefined) {
    const detail = `${operation.name} does not accept these arguments${firstOf(errors)}.`;
    return refuse('invalid-input', detail, { errors });
  }
  const input = result.value;
  const { effect, inputSchema } = operation;
  return go({ ...flow, input, effect: narrowParsed(effect, { input, args, inputSchema }) });
};

/** The argument that the kit added is not in the input schema. */
function withoutAddedKey(args: object, { addsKeyArgument }: Operation): object {
  if (!addsKeyArgument) return args;
  const { [KEY_ARGUMENT]: _, ...rest } = args as Record<string, unknown>;
  return rest;
}

/** The first error in words; the rest is in the list. */
function firstOf([first]: readonly InputError[]): string {
  if (first === undefined) return '';
  const where = first.pointer === '' ? '' : `${first.pointer}: `;
  return `. ${where}${first.detail.replace(/\.$/, '')}`;
}

/** Schema libraries drop unknown members; a misspelled argument must not vanish silently. */
function unknownArguments(
  args: object,
  schema: Readonly<Record<string, unknown>>,
): readonly InputError[] {
  if (schema['additionalProperties'] !== false) return [];
  const known = propertiesOf(schema);
  return Object.keys(args)
    .filter((name) => !Object.hasOwn(known, name))
    .slice(0, 20)
    .map((name) => ({
      pointer: `/${name.slice(0, 100).replaceAll('~', '~0').replaceAll('/', '~1')}`,
      detail: 'There is no such argument.',
    }));
}

/** Turns a schema library's issues into problem entries with JSON pointers, a bounded number. */
const MOST = 20;

export function toInputErrors(issues: readonly StandardSchemaV1.Issue[]): readonly InputError[] {
  return issues.slice(0, MOST).map(({ message, path }) => ({
    pointer: (path ?? []).map(toSegment).join(''),
    detail: message.slice(0, 300),
  }));
}

function toSegment(part: PropertyKey | StandardSchemaV1.PathSegment): string {
  const key = typeof part === 'object' ? part.key : part;
  return `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`;
}
