/**
 * The entry of a server with the gate in front of it: written, recognized, and taken back. Nothing that
 * may be a secret is on the command line, and the environment of the entry reaches the server alone: it
 * stands under names that mean nothing to the gate. Pure.
 */
import type { Node } from 'jsonc-parser';
import type { Dialect } from './dialects.ts';
import type { EntryEdit, EntryMember } from './entry-edit.ts';
import type { GatedCommand, GatedRemote } from './read-gated.ts';
import { ENV, HEADER, URL_VARIABLE } from './read-gated.ts';
import { memberOf } from './host-json.ts';
import type { CommandServer, RemoteServer } from './read-server.ts';

export interface GateCommand {
  readonly command: string;
  /** What comes before `--name`: words of the command, `gate` and its own options. */
  readonly args: readonly string[];
}

export function gateEntry(
  node: Node,
  name: string,
  server: CommandServer | RemoteServer,
  gate: GateCommand,
  dialect: Dialect,
): readonly EntryEdit[] {
  return server.kind === 'command'
    ? gateCommandEntry(node, name, server, gate, dialect)
    : gateRemoteEntry(name, server, gate, dialect);
}

function gateCommandEntry(
  node: Node,
  name: string,
  { command, env, envNames, envFile }: CommandServer,
  gate: GateCommand,
  dialect: Dialect,
): readonly EntryEdit[] {
  const file = envFile === undefined ? [] : ['--server-env-file', envFile];
  const renamed = env.flatMap((each) => ['--pass-env', `${each}=${ENV}${each}`]);
  const passed = envNames.flatMap((each) => ['--pass-env', each]);
  const before = [...gate.args, '--name', name, ...file, ...renamed, ...passed, '--'];
  return [
    ...toCommandEdits(node, gate.command, [...before, command], dialect),
    { kind: 'rename', key: dialect.env, toName: (each) => `${ENV}${each}` },
    { kind: 'remove', key: 'envFile' },
  ];
}

/** `words` end with the command that was there. */
function toCommandEdits(
  node: Node,
  command: string,
  words: readonly string[],
  { isOneList }: Dialect,
): readonly EntryEdit[] {
  if (isOneList)
    return [{ kind: 'prepend', key: 'command', words: [command, ...words.slice(0, -1)] }];
  const args: EntryEdit =
    memberOf(node, 'args') === undefined
      ? { kind: 'insert-after', key: 'command', members: [['args', words]] }
      : { kind: 'prepend', key: 'args', words };
  return [args, { kind: 'set', key: 'command', value: command }];
}

/** The gate is a command, so that a server with an address becomes one, too. */
function gateRemoteEntry(
  name: string,
  { member, url, headers, headersFrom, bearerFrom }: RemoteServer,
  gate: GateCommand,
  dialect: Dialect,
): readonly EntryEdit[] {
  const env: Record<string, string> = { [URL_VARIABLE]: url };
  const flags = Object.entries(headers).flatMap(([header, value]) => {
    const variable = freeName(env, `${HEADER}${header.toUpperCase().replaceAll('-', '_')}`);
    env[variable] = value;
    return ['--header-env', `${header}=${variable}`];
  });
  const bearer = bearerFrom === undefined ? [] : ['--bearer-env', bearerFrom];
  const from = Object.entries(headersFrom).flatMap(([header, variable]) => [
    '--header-env',
    `${header}=${variable}`,
  ]);
  const args = [
    ...gate.args,
    '--name',
    name,
    '--url-env',
    URL_VARIABLE,
    ...bearer,
    ...flags,
    ...from,
  ];
  const handedOn = [...new Set([...bearer.slice(1), ...Object.values(headersFrom)])];
  const names: readonly EntryMember[] =
    dialect.envNames === undefined || handedOn.length === 0 ? [] : [[dialect.envNames, handedOn]];
  const members: readonly EntryMember[] = [
    ...toCommandMembers(gate.command, args, dialect),
    [dialect.env, env],
    ...names,
  ];
  return [
    ...requestKeys(dialect).map((key): EntryEdit => ({ kind: 'remove', key })),
    { kind: 'set', key: 'type', value: dialect.types.command },
    { kind: 'replace', key: member, members },
  ];
}

function toCommandMembers(
  command: string,
  args: readonly string[],
  { isOneList }: Dialect,
): readonly EntryMember[] {
  if (isOneList) return [['command', [command, ...args]]];
  return [
    ['command', command],
    ['args', args],
  ];
}

/** What an entry says about requests, besides the address. */
function requestKeys({ headers: [headers], headersFrom, bearerFrom }: Dialect): readonly string[] {
  return [headers, headersFrom, bearerFrom].filter((key) => key !== undefined);
}

function freeName(taken: object, name: string): string {
  let free = name;
  for (let count = 2; free in taken; count += 1) free = `${name}_${count}`;
  return free;
}

/** The entry without the gate. What was added to it since stays. */
export function ungateEntry(
  gated: GatedCommand | GatedRemote,
  dialect: Dialect,
): readonly EntryEdit[] {
  return gated.kind === 'command' ? ungateCommand(gated, dialect) : ungateRemote(gated, dialect);
}

function ungateCommand(
  { command, args, envFile }: GatedCommand,
  { isOneList, env }: Dialect,
): readonly EntryEdit[] {
  const words: readonly EntryEdit[] = isOneList
    ? [{ kind: 'keep-last', key: 'command', count: args.length + 1 }]
    : [
        { kind: 'keep-last', key: 'args', count: args.length },
        { kind: 'set', key: 'command', value: command },
      ];
  const file: readonly EntryEdit[] =
    envFile === undefined
      ? []
      : [{ kind: 'insert-after', key: 'command', members: [['envFile', envFile]] }];
  const toName = (name: string): string | undefined =>
    name.startsWith(ENV) ? name.slice(ENV.length) : undefined;
  return [...words, { kind: 'rename', key: env, toName }, ...file];
}

function ungateRemote(
  { url, headers, headersFrom, bearerFrom }: GatedRemote,
  dialect: Dialect,
): readonly EntryEdit[] {
  const { urls, isOneList, env, envNames, types } = dialect;
  const members: readonly EntryMember[] = [
    [urls[0] ?? 'url', url],
    ...toHeaderMembers(headers, dialect),
    ...named(dialect.bearerFrom, bearerFrom),
    ...named(dialect.headersFrom, Object.keys(headersFrom).length > 0 ? headersFrom : undefined),
  ];
  const gone = [...(isOneList ? [] : ['args']), env, envNames].filter((key) => key !== undefined);
  return [
    ...gone.map((key): EntryEdit => ({ kind: 'remove', key })),
    { kind: 'set', key: 'type', value: types.remote },
    { kind: 'replace', key: 'command', members },
  ];
}

function named(key: string | undefined, value: EntryMember[1] | undefined): readonly EntryMember[] {
  return key === undefined || value === undefined ? [] : [[key, value]];
}

function toHeaderMembers(
  headers: Readonly<Record<string, string>>,
  { headers: [first, ...rest] }: Dialect,
): readonly EntryMember[] {
  if (Object.keys(headers).length === 0) return [];
  return [[first, rest.reduceRight<EntryMember[1]>((value, key) => ({ [key]: value }), headers)]];
}
