/**
 * Sixth stage: a result is sent only if it fits its operation's declaration, and if JSON can hold it.
 * Values that are found out later pass the same check.
 */
import { isInputRequiredResult } from '@modelcontextprotocol/server';
import { possibleEffects } from '../effect/effect.ts';
import type { Operation } from '../effect/operation.ts';
import { isReply, reply } from '../effect/operation.ts';
import { TIERS } from '../effect/tier.ts';
import { parseLossless } from '../lib/lossless-json.ts';
import type { Problem } from '../lib/problem.ts';
import { toProblem } from '../lib/problem.ts';
import { Secret } from '../lib/secret.ts';
import type { Services, Stage } from './flow.ts';
import { effectOf, go, stop } from './flow.ts';
import { toInputErrors } from './validate-input.ts';

export const validateOutput: Stage = async (flow, services) => {
  // The answer of a read is never stored, and may be large.
  const isRead = TIERS[effectOf(flow).tier].readsOnly;
  const write = isRead ? checkJson : toPlain;
  const checked = await checkAnswer(flow.operation, flow.answer, services, write);
  if (checked.kind === 'fits') {
    const secrets = [...(flow.secrets ?? []), ...checked.revealed];
    return go({ ...flow, answer: checked.answer, secrets });
  }
  // Elsewhere the work was done, so the key record is settled; only its answer is lost.
  return stop(checked.problem, flow.transaction === undefined ? 'succeeded' : 'release');
};

type Checked =
  /** `answer` with its secrets revealed, and these secrets. */
  | { readonly kind: 'fits'; readonly answer: unknown; readonly revealed: readonly string[] }
  | { readonly kind: 'broken'; readonly problem: Problem };

export async function checkAnswer(
  operation: Operation,
  answer: unknown,
  services: Pick<Services, 'newId' | 'report'>,
  write: typeof toPlain = toPlain,
): Promise<Checked> {
  const broken = (cause: unknown): Checked => {
    const reference = services.newId();
    services.report(`${operation.name} broke its output schema, reference ${reference}`, cause);
    const detail = `${operation.name} returned a result that does not fit its declared output.`;
    return { kind: 'broken', problem: toProblem('invalid-output', detail, { reference }) };
  };
  try {
    if (isInputRequiredResult(answer)) {
      return { kind: 'fits', answer: write(answer), revealed: [] };
    }
    const names = possibleEffects(operation.effect).flatMap(({ secrets }) => secrets);
    const { value, revealed } = reveal(isReply(answer) ? answer.value : answer, names);
    const result = await operation.output?.['~standard'].validate(value);
    if (result?.issues !== undefined) return broken(toInputErrors(result.issues));
    const valid = write(result === undefined ? value : result.value);
    const plain = isReply(answer) ? reply(write(answer.content), valid) : valid;
    return { kind: 'fits', answer: plain, revealed };
  } catch (error) {
    return broken(error);
  }
}

/** What JSON makes of it, once: what is stored and what is sent are the same, whatever getters return later. */
function toPlain<T>(value: T): T {
  const text = toJson(value);
  return text === undefined ? value : (parseLossless(text) as T); // its JSON form is all that anyone gets
}

function checkJson<T>(value: T): T {
  toJson(value);
  return value;
}

/** `undefined` for nothing. Throws on what JSON cannot hold, such as a BigInt, a cycle or a function. */
function toJson(value: unknown): string | undefined {
  const text = JSON.stringify(value) as string | undefined;
  if (text !== undefined || value === undefined) return text;
  throw new TypeError(`JSON cannot hold a ${typeof value}`);
}

/** The one place where secrets are unwrapped: on their way to the caller, under the declared names. */
function reveal(
  value: unknown,
  names: readonly string[],
): { readonly value: unknown; readonly revealed: readonly string[] } {
  if (typeof value !== 'object' || value === null || names.length === 0) {
    return { value, revealed: [] };
  }
  const revealed: string[] = [];
  const open = (inner: unknown): unknown => {
    if (inner instanceof Secret) {
      const text = inner.reveal();
      revealed.push(text);
      return text;
    }
    if (Array.isArray(inner)) return inner.map(open);
    if (!isPlain(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).map(([name, part]) => [name, open(part)]));
  };
  const shown: Record<string, unknown> = { ...value };
  for (const name of names) {
    if (Object.hasOwn(shown, name)) shown[name] = open(shown[name]);
  }
  return { value: shown, revealed };
}

/** Objects of a class write themselves. */
function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
