/** Which arguments of a tool that makes requests are sent somewhere. */
import { toKey } from './read-parameters.ts';
import { toWords } from './to-words.ts';

type Json = Readonly<Record<string, unknown>>;

interface Named {
  readonly name: string;
}

/** What goes to an address beside it. */
export const BODY: RegExp = /^(?:(?:request|json|post|form)_)?body$|^(?:post_data|form_data)$/;
/** These are a body where the tool makes requests; elsewhere they are what is looked at. */
export const REQUEST_BODY: RegExp = /^(?:data|payload|json|form)$/;
const REQUESTS = new Set('fetch request http https curl wget url api rest'.split(' '));
const ADDRESS = /^(?:\w+_)?(?:url|uri|endpoint)$/;

export function makesRequests({ name }: Named): boolean {
  return toWords(name).some((word) => REQUESTS.has(word));
}

export function isBody(tool: Named, key: string): boolean {
  return BODY.test(key) || (REQUEST_BODY.test(key) && makesRequests(tool));
}

/** It goes to an address. */
export function isSent(value: unknown, beside: Json): boolean {
  const isEmpty =
    value === null || value === undefined || value === '' || typeof value === 'boolean';
  return !isEmpty && Object.keys(beside).some((name) => ADDRESS.test(toKey(name)));
}

/** Options of programs that make requests: something is sent. */
export const SENDS: RegExp =
  /^(?:-[dFT]|--(?:data|form|json|upload-file|post-data|post-file|body-data)\b)/;
