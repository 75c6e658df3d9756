/** Recognizes an entry that `wrap` has written, and reads what the gate was put in front of. Pure. */
import { basename } from 'node:path/posix';
import type { Node } from 'jsonc-parser';
import type { Dialect } from './dialects.ts';
import type { GateCommand } from './gated-entry.ts';
import { memberOf, membersOf, textOf } from './host-json.ts';
import { readEnvNames, readWords } from './read-server.ts';

export const ENV = 'PLIMSOLL_ENV_';
export const HEADER = 'PLIMSOLL_HEADER_';
export const URL_VARIABLE = 'PLIMSOLL_URL';

type Texts = Readonly<Record<string, string>>;

export interface GatedCommand {
  readonly kind: 'command';
  readonly command: string;
  readonly args: readonly string[];
  readonly envFile?: string;
  /** The variables, by the name that they have at the server, and in the entry. */
  readonly env: Texts;
}

export interface GatedRemote {
  readonly kind: 'remote';
  readonly url: string;
  readonly headers: Texts;
  /** Headers whose values the host hands on in variables, by their names. */
  readonly headersFrom: Texts;
  readonly bearerFrom?: string;
}

/**
 * Whether the entry is what `gateEntry` writes, for this gate; without one, for any. An entry that does
 * more than that, or hands the gate another environment, is somebody else's.
 */
export function readGated(
  name: string,
  node: Node,
  dialect: Dialect,
  gate?: GateCommand,
): GatedCommand | GatedRemote | undefined {
  const words = readWords(node, dialect);
  if (words === undefined) return undefined;
  const mark = gate === undefined ? findName(words, name) : lengthOf(words, gate);
  if (mark === undefined || words[mark] !== '--name' || words[mark + 1] !== name) return undefined;
  const gated = readFlags(words.slice(mark + 2), node, dialect);
  if (gated === undefined || gate === undefined) return gated?.found;
  return hasOnly(node, gated.variables, dialect) ? gated.found : undefined;
}

/** How many words start this gate; undefined where others do. */
function lengthOf(words: readonly string[], { command, args }: GateCommand): number | undefined {
  const own = [command, ...args];
  return own.every((word, at) => words[at] === word) ? own.length : undefined;
}

function findName(words: readonly string[], name: string): number | undefined {
  const gate = words.findIndex((word, at) => word === 'gate' && isPlimsoll(words[at - 1] ?? ''));
  const mark = words.findIndex((word, at) => word === '--name' && words[at + 1] === name);
  return gate === -1 || mark < gate ? undefined : mark;
}

/** By its name, as a package with a version, or as the script of an installation or a checkout. */
function isPlimsoll(word: string): boolean {
  const path = word.replaceAll('\\', '/');
  return (
    /^plimsoll(?:@[\w.+-]+)?(?:\.(?:cmd|exe|ps1|js))?$/i.test(basename(path)) ||
    /\/(?:plimsoll\/dist\/cli\/main\.js|src\/cli\/bin\.ts)$/.test(path)
  );
}

interface GatedFlags {
  readonly found: GatedCommand | GatedRemote;
  /** Of the entry's environment, that the flags refer to. */
  readonly variables: readonly string[];
}

function readFlags(words: readonly string[], node: Node, dialect: Dialect): GatedFlags | undefined {
  if (words[0] === '--url-env') return readRemoteFlags(words, node, dialect);
  const handedOn = readEnvNames(node, dialect) ?? [];
  let at = 0;
  const take = (flag: string): string | undefined => {
    if (words[at] !== flag) return undefined;
    at += 2;
    return words[at - 1];
  };
  const envFile = take('--server-env-file') ?? take('--env-file'); // the name that it had before
  const env = new Map<string, string>();
  for (let passed = take('--pass-env'); passed !== undefined; passed = take('--pass-env')) {
    const [name = '', variable] = passed.split('=');
    if (variable === `${ENV}${name}`) env.set(name, variable);
    else if (variable !== undefined || !handedOn.includes(name)) return undefined;
  }
  const command = take('--');
  if (command === undefined) return undefined;
  const found: GatedCommand = {
    kind: 'command',
    command,
    args: words.slice(at),
    env: Object.fromEntries(env),
    ...(envFile !== undefined && { envFile }),
  };
  return { found, variables: [...env.values()] };
}

function readRemoteFlags(
  [, variable = '', ...flags]: readonly string[],
  node: Node,
  dialect: Dialect,
): GatedFlags | undefined {
  const env = memberOf(node, dialect.env)?.value;
  const valueOf = (name: string): string | undefined => {
    const member = memberOf(env, name);
    return member && textOf(member.value);
  };
  const handedOn = readEnvNames(node, dialect) ?? [];
  const url = variable === URL_VARIABLE ? valueOf(variable) : undefined;
  const headers = new Map<string, string>();
  const headersFrom = new Map<string, string>();
  const variables = [variable];
  let bearerFrom: string | undefined;
  for (let at = 0; at < flags.length; at += 2) {
    const word = flags[at + 1] ?? '';
    const [header = '', from = ''] = word.split('=');
    const value = from.startsWith(HEADER) ? valueOf(from) : undefined;
    if (flags[at] === '--bearer-env' && handedOn.includes(word)) bearerFrom = word;
    else if (flags[at] !== '--header-env') return undefined;
    else if (value !== undefined) {
      headers.set(header, value);
      variables.push(from);
    } else if (handedOn.includes(from)) headersFrom.set(header, from);
    else return undefined;
  }
  if (url === undefined) return undefined;
  const found: GatedRemote = {
    kind: 'remote',
    url,
    headers: Object.fromEntries(headers),
    headersFrom: Object.fromEntries(headersFrom),
    ...(bearerFrom !== undefined && { bearerFrom }),
  };
  return { found, variables };
}

/** Any other variable would be one for the gate itself. */
function hasOnly(node: Node, variables: readonly string[], dialect: Dialect): boolean {
  const names = membersOf(memberOf(node, dialect.env)?.value).map(({ key }) => key);
  return (
    memberOf(node, 'envFile') === undefined &&
    readEnvNames(node, dialect) !== undefined &&
    names.every((name) => variables.includes(name))
  );
}
