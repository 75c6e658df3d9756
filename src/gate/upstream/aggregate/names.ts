/**
 * Names and ids of tasks behind the aggregate: `<server>__<name>`. A server's name has single underscores at
 * most, and none at its ends, so that none is ambiguous and no server can name a task of another.
 */
import type { JsonValue } from '../../../lib/json-value.ts';
import type { Edit } from '../../protocol/edit-frame.ts';
import { editFrame } from '../../protocol/edit-frame.ts';
import type { Frame } from '../../protocol/frame.ts';
import { isObject } from '../../protocol/read-frame.ts';

interface NameFault {
  readonly code: 'invalid-name' | 'name-collision';
  readonly server: string;
  readonly detail: string;
}

const SEPARATOR = '__';

const LONGEST_NAME = 128;

const SERVER_NAME = /^(?=.{1,32}$)[a-z0-9-]+(?:_[a-z0-9-]+)*$/i;

/** `undefined` if the name would be longer than the protocol advises. */
export function toPrefixed(server: string, name: string): string | undefined {
  const prefixed = `${server}${SEPARATOR}${name}`;
  return prefixed.length > LONGEST_NAME ? undefined : prefixed;
}

export function fromPrefixed(
  prefixed: string,
): { readonly server: string; readonly name: string } | undefined {
  const at = prefixed.indexOf(SEPARATOR);
  if (at <= 0) return undefined;
  return { server: prefixed.slice(0, at), name: prefixed.slice(at + SEPARATOR.length) };
}

type Path = readonly [string, ...string[]];

const RELATED = ['_meta', 'io.modelcontextprotocol/related-task', 'taskId'] as const;

/** A server's message with the ids of its tasks as the client knows them; `method` is what it answers. */
export function prefixTasks(frame: Frame, server: string, method = ''): Frame {
  const { message } = frame;
  const paths: Path[] = [
    ['result', ...RELATED],
    ['params', ...RELATED],
  ];
  const isTask = isObject(message.result) && message.result['resultType'] === 'task';
  if (isTask || method.startsWith('tasks/')) paths.push(['result', 'taskId']);
  if (message.method?.startsWith('notifications/tasks')) paths.push(['params', 'taskId']);
  if (method === 'tools/call') paths.push(['result', 'task', 'taskId']);
  return renameTasks(frame, paths, (id) => `${server}${SEPARATOR}${id}`);
}

/** A client's message with the tasks that it is about as the server knows them. */
export function stripTasks(frame: Frame, server: string): Frame {
  const paths: Path[] = [
    ['result', ...RELATED],
    ['params', ...RELATED],
  ];
  return renameTasks(frame, paths, (id) => toOwnName(id, server));
}

/** The name without its prefix, if it is one of this server. */
export function toOwnName(prefixed: string, server: string): string | undefined {
  const own = fromPrefixed(prefixed);
  return own?.server === server ? own.name : undefined;
}

function renameTasks(
  frame: Frame,
  paths: readonly Path[],
  rename: (id: string) => string | undefined,
): Frame {
  const edits = paths.flatMap((path): readonly Edit[] => {
    let id = frame.message as JsonValue | undefined; // a message is an object of JSON values
    for (const key of path) id = isObject(id) ? id[key] : undefined;
    const value = typeof id === 'string' ? rename(id) : undefined;
    return value === undefined ? [] : [{ kind: 'set', path, value }];
  });
  return editFrame(frame, edits);
}

/** What is wrong with the names of servers that are to stand side by side. */
export function checkServerNames(servers: readonly string[]): readonly NameFault[] {
  const seen = new Set<string>();
  return servers.flatMap((server): readonly NameFault[] => {
    if (!SERVER_NAME.test(server)) {
      const detail = `“${server}” is not 1 to 32 letters, digits or hyphens, with single underscores between them`;
      return [{ code: 'invalid-name', server, detail }];
    }
    const folded = server.toLowerCase();
    if (seen.has(folded)) {
      const detail = `two servers are named “${server}”, letter case aside`;
      return [{ code: 'name-collision', server, detail }];
    }
    seen.add(folded);
    return [];
  });
}
