/**
 * The entry of a server with the gate in front of it: written, recognized, and taken back. Nothing that
 * may be a secret is on the command line, and the environment of the entry reaches the server alone: it
 * stands under names that mean nothing to the gate. Pure.
 */
import { basename } from 'node:path/posix';
import type { Node } from 'jsonc-parser';
import type { HostJson, Member } from './host-json.ts';
import {
  dropItems,
  editText,
  insertAfter,
  memberOf,
  membersOf,
  prependItems,
  removeMember,
  renameMember,
  replaceMember,
  replaceValue,
} from './host-json.ts';
import type { CommandServer, RemoteServer } from './host-servers.ts';
import { readArgs, textOf } from './host-servers.ts';

export interface GateCommand {
  readonly command: string;
  /** What comes before `--name`: `gate` and its own options. */
  readonly args: readonly string[];
}

const ENV = 'PLIMSOLL_ENV_';
const HEADER = 'PLIMSOLL_HEADER_';
const URL_VARIABLE = 'PLIMSOLL_URL';

export function gateCommandEntry(
  entry: string,
  name: string,
  { command, env, envFile }: CommandServer,
  gate: GateCommand,
): string {
  const file = envFile === undefined ? [] : ['--env-file', envFile];
  const passed = env.flatMap((each) => ['--pass-env', `${each}=${ENV}${each}`]);
  const before = [...gate.args, '--name', name, ...file, ...passed, '--', command];
  return editText(
    entry,
    (json) => {
      const args = memberOf(json.root, 'args')?.value;
      if (args !== undefined) return [prependItems(json, args, before)];
      return onMember(json, 'command', (it) => [
        insertAfter(json, json.root, it, [['args', before]]),
      ]);
    },
    (json) => onMember(json, 'command', ({ value }) => [replaceValue(value, gate.command)]),
    (json) => onMember(json, 'env', ({ value }) => membersOf(value).map(hide)),
    (json) => onMember(json, 'envFile', (it) => removeMember(json, json.root, it)),
  );
}

function hide(member: Member): ReturnType<typeof renameMember> {
  return renameMember(member, `${ENV}${member.key}`);
}

/** The gate is a command, so that a server with an address becomes one, too. */
export function gateRemoteEntry(
  entry: string,
  name: string,
  { member, url, headers }: RemoteServer,
  gate: GateCommand,
): string {
  const env: Record<string, string> = { [URL_VARIABLE]: url };
  const flags = Object.entries(headers).flatMap(([header, value]) => {
    const variable = freeName(env, `${HEADER}${header.toUpperCase().replaceAll('-', '_')}`);
    env[variable] = value;
    return ['--header-env', `${header}=${variable}`];
  });
  const args = [...gate.args, '--name', name, '--url-env', URL_VARIABLE, ...flags];
  return editText(
    entry,
    (json) => onMember(json, 'headers', (it) => removeMember(json, json.root, it)),
    (json) => onMember(json, 'type', ({ value }) => [replaceValue(value, 'stdio')]),
    (json) =>
      onMember(json, member, (it) => [
        replaceMember(json, json.root, it, [
          ['command', gate.command],
          ['args', args],
          ['env', env],
        ]),
      ]),
  );
}

function freeName(taken: object, name: string): string {
  let free = name;
  for (let count = 2; free in taken; count += 1) free = `${name}_${count}`;
  return free;
}

/** What the gate was put in front of. */
export type Gated = GatedCommand | GatedRemote;

interface GatedCommand {
  readonly kind: 'command';
  readonly command: string;
  readonly args: readonly string[];
  readonly envFile?: string;
  /** The variables, by the name that they have at the server, and in the entry. */
  readonly env: Readonly<Record<string, string>>;
}

interface GatedRemote {
  readonly kind: 'remote';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Whether the entry is what the two functions above write, for this gate; without one, for any. An entry
 * that does more than that, or hands the gate another environment, is somebody else's.
 */
export function readGated(name: string, node: Node, gate?: GateCommand): Gated | undefined {
  const command = memberOf(node, 'command');
  const args = readArgs(node);
  const word = command && textOf(command.value);
  if (word === undefined || args === undefined) return undefined;
  const mark = gate === undefined ? findName(args, name) : gate.args.length;
  const isOurs =
    gate === undefined ? isPlimsoll(word) && args[0] === 'gate' : word === gate.command;
  const isSame = gate === undefined || gate.args.every((each, at) => args[at] === each);
  if (!isOurs || !isSame || args[mark] !== '--name' || args[mark + 1] !== name) return undefined;
  const gated = readWords(args.slice(mark + 2), node);
  if (gated === undefined || gate === undefined) return gated?.found;
  return hasOnly(node, gated.variables) ? gated.found : undefined;
}

function findName(args: readonly string[], name: string): number {
  return args.findIndex((each, at) => each === '--name' && args[at + 1] === name);
}

function isPlimsoll(word: string): boolean {
  return /^plimsoll(?:\.(?:cmd|exe|ps1|js))?$/i.test(basename(word.replaceAll('\\', '/')));
}

interface GatedWords {
  readonly found: Gated;
  /** That the words refer to. */
  readonly variables: readonly string[];
}

function readWords(words: readonly string[], node: Node): GatedWords | undefined {
  if (words[0] === '--url-env') return readRemoteWords(words, node);
  let at = 0;
  const take = (flag: string): string | undefined => {
    if (words[at] !== flag) return undefined;
    at += 2;
    return words[at - 1];
  };
  const envFile = take('--env-file');
  const env = new Map<string, string>();
  for (let passed = take('--pass-env'); passed !== undefined; passed = take('--pass-env')) {
    const [name = '', variable] = passed.split('=');
    if (variable !== `${ENV}${name}`) return undefined;
    env.set(name, variable);
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

function readRemoteWords(
  [, variable = '', ...flags]: readonly string[],
  node: Node,
): GatedWords | undefined {
  const env = memberOf(node, 'env')?.value;
  const valueOf = (name: string): string | undefined => {
    const member = memberOf(env, name);
    return member && textOf(member.value);
  };
  const url = variable === URL_VARIABLE ? valueOf(variable) : undefined;
  const headers = new Map<string, string>();
  const variables = [variable];
  for (let at = 0; at < flags.length; at += 2) {
    const [header = '', from = ''] = (flags[at + 1] ?? '').split('=');
    const value = from.startsWith(HEADER) ? valueOf(from) : undefined;
    if (flags[at] !== '--header-env' || value === undefined) return undefined;
    headers.set(header, value);
    variables.push(from);
  }
  if (url === undefined) return undefined;
  return { found: { kind: 'remote', url, headers: Object.fromEntries(headers) }, variables };
}

/** Any other variable would be one for the gate itself. */
function hasOnly(node: Node, variables: readonly string[]): boolean {
  const names = membersOf(memberOf(node, 'env')?.value).map(({ key }) => key);
  return memberOf(node, 'envFile') === undefined && names.every((name) => variables.includes(name));
}

/** The entry without the gate. What was added to it since stays. */
export function ungateEntry(entry: string, gated: Gated): string {
  return gated.kind === 'command' ? ungateCommand(entry, gated) : ungateRemote(entry, gated);
}

function ungateCommand(entry: string, { command, args, envFile }: GatedCommand): string {
  return editText(
    entry,
    (json) =>
      onMember(json, 'args', ({ value }) => [
        dropItems(json, value, (value.children ?? []).length - args.length),
      ]),
    (json) => onMember(json, 'command', ({ value }) => [replaceValue(value, command)]),
    (json) =>
      onMember(json, 'env', ({ value }) =>
        membersOf(value)
          .filter(({ key }) => key.startsWith(ENV))
          .map((member) => renameMember(member, member.key.slice(ENV.length))),
      ),
    (json) =>
      envFile === undefined
        ? []
        : onMember(json, 'command', (it) => [
            insertAfter(json, json.root, it, [['envFile', envFile]]),
          ]),
  );
}

function ungateRemote(entry: string, { url, headers }: GatedRemote): string {
  const own = Object.keys(headers).length > 0 ? [['headers', headers] as const] : [];
  return editText(
    entry,
    (json) => onMember(json, 'args', (it) => removeMember(json, json.root, it)),
    (json) => onMember(json, 'env', (it) => removeMember(json, json.root, it)),
    (json) => onMember(json, 'type', ({ value }) => [replaceValue(value, 'http')]),
    (json) =>
      onMember(json, 'command', (it) => [
        replaceMember(json, json.root, it, [['url', url], ...own]),
      ]),
  );
}

function onMember<T>(
  { root }: HostJson,
  key: string,
  edit: (member: Member) => readonly T[],
): readonly T[] {
  const member = memberOf(root, key);
  return member === undefined ? [] : edit(member);
}
