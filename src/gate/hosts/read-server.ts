/** Tells what one server entry of a host's configuration is: a command, a URL, or one that the gate already has. */
import { basename } from 'node:path/posix';
import type { JsoncArray, JsoncMember, JsoncNode, JsoncObject } from './jsonc.ts';
import { memberOf, valueOf } from './jsonc.ts';

type HostServer = CommandServer | RemoteServer | WrappedServer | OtherServer;

export interface CommandServer {
  readonly kind: 'command';
  readonly command: JsoncMember;
  readonly words: { readonly command: string; readonly args: readonly string[] };
  readonly args?: JsoncArray;
}

export interface RemoteServer {
  readonly kind: 'remote';
  readonly address: JsoncMember;
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly headersMember?: JsoncMember;
  readonly type?: JsoncMember;
}

/** `before` is what the gate was put in front of. */
export interface WrappedServer {
  readonly kind: 'wrapped';
  readonly command: JsoncMember;
  readonly args: JsoncArray;
  readonly type?: JsoncMember;
  readonly before:
    | { readonly kind: 'command'; readonly command: string; readonly kept: number }
    | { readonly kind: 'remote'; readonly url: string; readonly headers: Headers };
}

type Headers = Readonly<Record<string, string>>;

export interface OtherServer {
  readonly kind: 'other';
  readonly why: 'no-address' | 'odd-args' | 'odd-headers' | 'sse' | 'headers-helper';
}

export function readServer(node: JsoncObject): HostServer {
  const command = memberOf(node, 'command');
  if (command !== undefined) return readCommand(node, command);
  const address = memberOf(node, 'url') ?? memberOf(node, 'serverUrl');
  return address === undefined ? { kind: 'other', why: 'no-address' } : readRemote(node, address);
}

function readCommand(node: JsoncObject, member: JsoncMember): HostServer {
  const command = textOf(member.value);
  const given = memberOf(node, 'args')?.value;
  const args = given === undefined ? [] : textsOf(given);
  if (command === undefined || args === undefined) return { kind: 'other', why: 'odd-args' };
  const list = given?.kind === 'array' ? given : undefined;
  const before = list && readWrapping(command, args);
  const type = memberOf(node, 'type');
  if (before && list)
    return { kind: 'wrapped', command: member, args: list, before, ...(type && { type }) };
  const words = { command, args };
  return { kind: 'command', command: member, words, ...(list && { args: list }) };
}

function readRemote(node: JsoncObject, address: JsoncMember): HostServer {
  const url = textOf(address.value);
  if (url === undefined) return { kind: 'other', why: 'no-address' };
  const type = memberOf(node, 'type') ?? memberOf(node, 'transport');
  // The gate speaks streamable HTTP; the older transport would fail behind it.
  if (type !== undefined && textOf(type.value)?.toLowerCase() === 'sse')
    return { kind: 'other', why: 'sse' };
  if (memberOf(node, 'headersHelper') !== undefined)
    return { kind: 'other', why: 'headers-helper' };
  const headersMember = memberOf(node, 'headers');
  const headers = headersMember === undefined ? [] : toHeaders(headersMember.value);
  if (headers === undefined) return { kind: 'other', why: 'odd-headers' };
  return {
    kind: 'remote',
    address,
    url,
    headers,
    ...(headersMember && { headersMember }),
    ...(type && { type }),
  };
}

/** What `wrapConfig` writes: …, `gate`, …, `--name`, a name, then `--` or `--url`. */
function readWrapping(
  command: string,
  args: readonly string[],
): WrappedServer['before'] | undefined {
  const gate = args.indexOf('gate');
  if (gate === -1 || ![command, ...args.slice(0, gate)].some(isOurs)) return undefined;
  for (let at = args.indexOf('--name', gate); at !== -1; at = args.indexOf('--name', at + 1)) {
    const [mark, first, ...rest] = args.slice(at + 2);
    if (first === undefined) continue;
    if (mark === '--') return { kind: 'command', command: first, kept: rest.length };
    if (mark === '--url') return { kind: 'remote', url: first, headers: fromFlags(rest) };
  }
  return undefined;
}

function fromFlags(flags: readonly string[]): Headers {
  const headers: [string, string][] = [];
  flags.forEach((flag, at) => {
    const [name = '', ...value] = (flags[at + 1] ?? '').split(': ');
    if (flag === '--header') headers.push([name, value.join(': ')]);
  });
  return Object.fromEntries(headers);
}

function isOurs(word: string): boolean {
  return /^plimsoll(?:@[^/]+)?(?:\.(?:cmd|exe|ps1|js))?$/i.test(
    basename(word.replaceAll('\\', '/')),
  );
}

function toHeaders(node: JsoncNode): readonly (readonly [string, string])[] | undefined {
  if (node.kind !== 'object') return undefined;
  const headers = node.members.map(({ key, value }) => [key, textOf(value)] as const);
  // As one argument, an odd name or a value with a line end would be read as something else.
  const sound = headers.every(
    ([key, value]) => value !== undefined && /^[\w-]+$/.test(key) && !/[\r\n]/.test(value),
  );
  return sound ? headers.map(([key, value]) => [key, value ?? '']) : undefined;
}

function textOf(node: JsoncNode): string | undefined {
  return node.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;
}

function textsOf(node: JsoncNode): readonly string[] | undefined {
  const values = valueOf(node);
  if (!Array.isArray(values)) return undefined;
  return values.every((value) => typeof value === 'string') ? values : undefined;
}
