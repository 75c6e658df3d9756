/** Where a client's request goes among many servers. Pure: says so, sends nothing. */
import type { JsonObject, RpcMessage } from '../../protocol/frame.ts';
import { isObject } from '../../protocol/read-frame.ts';
import type { ListKind } from './merged-lists.ts';
import { LISTS } from './merged-lists.ts';
import { fromPrefixed } from './names.ts';
import type { PlainNames } from './plain-names.ts';

export type Route =
  | { readonly kind: 'handshake'; readonly method: 'initialize' | 'server/discover' }
  | { readonly kind: 'list'; readonly list: ListKind }
  /** To one server, with the name at this path without its prefix. */
  | {
      readonly kind: 'named';
      readonly server: string;
      readonly name: string;
      readonly path: readonly [string, ...string[]];
    }
  | { readonly kind: 'unknown-name'; readonly name: string }
  | { readonly kind: 'resource'; readonly uri: string }
  | { readonly kind: 'listen' }
  | { readonly kind: 'ping' }
  | { readonly kind: 'log-level' }
  /** To whichever server knows the method. */
  | { readonly kind: 'any' };

/** `names`: where they have no prefix. */
export function toRoute({ method = '', params = {} }: RpcMessage, names?: PlainNames): Route {
  const list = LISTS.get(method);
  if (list !== undefined) return { kind: 'list', list };
  switch (method) {
    case 'initialize':
    case 'server/discover':
      return { kind: 'handshake', method };
    case 'tools/call':
      return toNamed(params['name'], ['params', 'name'], (name) => names?.find('tools', name));
    case 'prompts/get':
      return toNamed(params['name'], ['params', 'name'], (name) => names?.find('prompts', name));
    case 'tasks/get':
    case 'tasks/result':
    case 'tasks/update':
    case 'tasks/cancel':
      return toNamed(params['taskId'], ['params', 'taskId']);
    case 'resources/read':
    case 'resources/subscribe':
    case 'resources/unsubscribe':
      return toResource(params);
    case 'completion/complete':
      return toCompletion(params['ref'], names);
    case 'subscriptions/listen':
      return { kind: 'listen' };
    case 'ping':
      return { kind: 'ping' };
    case 'logging/setLevel':
      return { kind: 'log-level' };
    default:
      return { kind: 'any' };
  }
}

function toNamed(
  name: unknown,
  path: readonly [string, ...string[]],
  find: (name: string) => ReturnType<typeof fromPrefixed> = () => undefined,
): Route {
  const shown = typeof name === 'string' ? name : '';
  const own = find(shown) ?? fromPrefixed(shown);
  if (own === undefined) return { kind: 'unknown-name', name: shown };
  return { kind: 'named', ...own, path };
}

function toResource({ uri }: JsonObject): Route {
  return typeof uri === 'string' ? { kind: 'resource', uri } : { kind: 'any' };
}

function toCompletion(ref: unknown, names: PlainNames | undefined): Route {
  if (!isObject(ref)) return { kind: 'any' };
  return ref['type'] === 'ref/prompt'
    ? toNamed(ref['name'], ['params', 'ref', 'name'], (name) => names?.find('prompts', name))
    : toResource(ref);
}
