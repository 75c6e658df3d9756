/** One server of a host's configuration, read as a command or a URL; what cannot stand behind the gate says why. */
import type { Node } from 'jsonc-parser';
import type { Dialect } from './dialects.ts';
import type { Member } from './host-json.ts';
import { memberOf, membersOf, textOf, valueOf } from './host-json.ts';

type HostServer = CommandServer | RemoteServer | OtherServer;

type Texts = Readonly<Record<string, string>>;

export interface CommandServer {
  readonly kind: 'command';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: readonly string[];
  /** Variables that the host hands on. */
  readonly envNames: readonly string[];
  readonly envFile?: string;
}

export interface RemoteServer {
  readonly kind: 'remote';
  /** The name of the member that has the URL. */
  readonly member: string;
  readonly url: string;
  readonly headers: Texts;
  /** Headers whose values are in variables of the host's environment, by their names. */
  readonly headersFrom: Texts;
  readonly bearerFrom?: string;
}

export interface OtherServer {
  readonly kind: 'other';
  readonly why:
    | 'no-address'
    | 'two-addresses'
    | 'odd-args'
    | 'odd-env'
    | 'odd-headers'
    | 'sse'
    | 'headers-helper'
    | 'url-and-command';
}

export function readServer(node: Node, dialect: Dialect): HostServer {
  if (memberOf(node, 'command') !== undefined) return readCommand(node, dialect);
  const { urls, sseUrl = '' } = dialect;
  const addresses = urls.flatMap((key) => memberOf(node, key) ?? []);
  const old = memberOf(node, sseUrl);
  const [address = old] = addresses;
  if (address === undefined) return other('no-address');
  if (addresses.length > 1) return other('two-addresses');
  if (address === old && typeOf(node) !== 'http') return other('sse');
  return readRemote(node, address, dialect);
}

function other(why: OtherServer['why']): OtherServer {
  return { kind: 'other', why };
}

function readCommand(node: Node, dialect: Dialect): HostServer {
  const words = readWords(node, dialect);
  const [command, ...args] = words ?? [];
  if (command === undefined) return other('odd-args');
  const env = memberOf(node, dialect.env)?.value;
  const names = membersOf(env).map(({ key }) => key);
  const file = memberOf(node, 'envFile')?.value;
  const envFile = file && textOf(file);
  const isOdd = env !== undefined && env.type !== 'object';
  const envNames = readEnvNames(node, dialect);
  if (envNames === undefined || isOdd || (file !== undefined && !envFile)) return other('odd-env');
  if (![...names, ...envNames].every(isVariable)) return other('odd-env');
  return { kind: 'command', command, args, env: names, envNames, ...(envFile && { envFile }) };
}

/** The command and its arguments; undefined for what no host could start. */
export function readWords(node: Node, { isOneList }: Dialect): readonly string[] | undefined {
  const command = memberOf(node, 'command')?.value;
  if (command === undefined) return undefined;
  if (isOneList) return textsOf(command);
  const word = textOf(command);
  const args = memberOf(node, 'args')?.value;
  const rest = args === undefined ? [] : textsOf(args);
  return word === undefined || rest === undefined ? undefined : [word, ...rest];
}

function textsOf(node: Node): readonly string[] | undefined {
  const values = valueOf(node);
  if (!Array.isArray(values)) return undefined;
  return values.every((value) => typeof value === 'string') ? values : undefined;
}

/** Variables that steer the gate itself, or the program that it runs on, cannot be meant for a server. */
const OF_THE_GATE = /^(?:PLIMSOLL_|NODE_|XDG_)/i;

export function readEnvNames(
  node: Node,
  { envNames = '' }: Dialect,
): readonly string[] | undefined {
  const given = memberOf(node, envNames)?.value;
  if (given === undefined) return [];
  const names = textsOf(given);
  return names?.some((name) => OF_THE_GATE.test(name)) ? undefined : names;
}

/** Between a name and a value there is a `=`, and a program cannot be started with a NUL. */
function isVariable(name: string): boolean {
  return name !== '' && !/[=\0]/.test(name);
}

/** What a host ignores beside a URL would work as soon as the gate is there as a command. */
const OF_COMMAND = ['args', 'envFile', 'cwd'];

function readRemote(node: Node, address: Member, dialect: Dialect): HostServer {
  const url = textOf(address.value);
  if (url === undefined) return other('no-address');
  // The gate speaks streamable HTTP; the older transport would fail behind it.
  if (typeOf(node) === 'sse') return other('sse');
  if (memberOf(node, 'headersHelper') !== undefined) return other('headers-helper');
  const { env, envNames = '', headersFrom = '', bearerFrom = '' } = dialect;
  if ([...OF_COMMAND, env, envNames].some((key) => memberOf(node, key) !== undefined))
    return other('url-and-command');
  const headers = readHeaders(node, dialect);
  const from = toHeaders(memberOf(node, headersFrom)?.value);
  const bearer = memberOf(node, bearerFrom)?.value;
  const variable = bearer && textOf(bearer);
  const variables = [...Object.values(from ?? {}), ...(variable === undefined ? [] : [variable])];
  const isSound = variables.every((name) => isVariable(name) && !OF_THE_GATE.test(name));
  if (headers === undefined || from === undefined || !isSound) return other('odd-headers');
  if (bearer !== undefined && variable === undefined) return other('odd-headers');
  return {
    kind: 'remote',
    member: address.key,
    url,
    headers,
    headersFrom: from,
    ...(variable !== undefined && { bearerFrom: variable }),
  };
}

function typeOf(node: Node): string | undefined {
  const type = memberOf(node, 'type') ?? memberOf(node, 'transport');
  return type && textOf(type.value)?.toLowerCase();
}

/** Undefined where the entry says more about requests than headers. */
function readHeaders(node: Node, { headers: [first, ...rest] }: Dialect): Texts | undefined {
  if (rest.length > 0 && memberOf(node, 'apiKey') !== undefined) return undefined;
  let value = memberOf(node, first)?.value;
  for (const key of rest) {
    if (membersOf(value).some((member) => member.key !== key)) return undefined;
    value = value && memberOf(value, key)?.value;
  }
  return toHeaders(value);
}

function toHeaders(node: Node | undefined): Texts | undefined {
  if (node === undefined) return {};
  if (node.type !== 'object') return undefined;
  const headers = membersOf(node).map(({ key, value }) => [key, textOf(value)] as const);
  // As a header line, an odd name or a value with a line end would be read as something else.
  const sound = headers.every(
    ([key, value]) => value !== undefined && /^[\w-]+$/.test(key) && !/[\r\n\0]/.test(value),
  );
  return sound ? Object.fromEntries(headers.map(([key, value]) => [key, value ?? ''])) : undefined;
}
