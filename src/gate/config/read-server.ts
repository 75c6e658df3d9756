/** One entry of `mcpServers`, in the form that hosts use, with what the gate adds to it. */
import { resolve } from 'node:path';
import { isSafeUrl } from '../auth/is-safe-url.ts';
import { hasReference } from './environment.ts';
import type { KeyPlaces, OAuthConfig, ServerConfig } from './gate-config.ts';
import type { Field, Fields, Spot } from './spot.ts';
import {
  fault,
  readChoice,
  readEntries,
  readFields,
  readFlag,
  readItems,
  readTemplate,
  readText,
  readTexts,
} from './spot.ts';

const NAME = /^[A-Za-z0-9-]{1,32}$/;
const COMMON = ['type', 'trusted', 'mode', 'idempotency', 'disabled'];
const OF_PROCESS = ['command', 'args', 'env', 'cwd'];
const OF_REMOTE = ['url', 'headers', 'oauth'];
const KNOWN = [...OF_PROCESS, ...OF_REMOTE, ...COMMON];
const INSTEAD = {
  serverUrl: 'is `url` here.',
  token: 'a token never stands in this file; write headers with `Bearer ${NAME}`.',
};
/** Headers whose value is a credential as a rule. */
const CREDENTIALS = ['authorization', 'proxy-authorization', 'cookie', 'x-api-key', 'api-key'];
const HTTP_TYPES = ['http', 'streamable-http', 'streamableHttp'] as const;

/** `folder` is the one of the file. */
export function readServer({ key: name, keyOffset, value }: Field, folder: string): ServerConfig[] {
  if (!NAME.test(name)) {
    fault({ ...value, offset: keyOffset }, 'a name is 1 to 32 letters, digits or hyphens.');
  }
  const all = readFields(value, KNOWN, INSTEAD);
  if (all === undefined) return [];
  const disabled = readFlag(all['disabled']) ?? false;
  const fields = disabled ? withoutEnvironment(all) : all;
  const trusted = readFlag(fields['trusted']);
  const mode = readChoice(fields['mode'], ['sandbox', 'live']);
  const idempotency = readKeyPlaces(fields['idempotency']);
  const traits = {
    name,
    ...(trusted !== undefined && { trusted }),
    ...(mode !== undefined && { mode }),
    disabled,
    ...(idempotency !== undefined && { idempotency }),
  };
  if ((fields['command'] === undefined) === (fields['url'] === undefined)) {
    fault(value, 'needs either command (a server to start) or url (a server over HTTP).');
    return [];
  }
  if (fields['url'] === undefined) {
    refuse(fields, OF_REMOTE, 'goes with url, not with command.');
    readChoice(fields['type'], ['stdio']);
    return [
      {
        ...traits,
        kind: 'process',
        command: readFilled(fields['command']) ?? '',
        args: (readItems(fields['args']) ?? []).flatMap((item) => readTemplate(item) ?? []),
        env: readRecord(fields['env']),
        cwd: resolve(folder, readText(fields['cwd']) ?? '.'),
      },
    ];
  }
  refuse(fields, OF_PROCESS, 'goes with command, not with url.');
  readChoice(fields['type'], HTTP_TYPES);
  const oauth = readOAuth(fields['oauth']);
  return [
    {
      ...traits,
      kind: 'remote',
      url: readUrl(fields['url']) ?? '',
      headers: readHeaders(fields['headers']),
      ...(oauth !== undefined && { oauth }),
    },
  ];
}

/** What is not going to be opened needs nothing from the environment. */
function withoutEnvironment(fields: Fields): Fields {
  const entries = Object.entries(fields).flatMap(([key, spot]) =>
    spot === undefined
      ? []
      : [[key, { ...spot, source: { ...spot.source, environment: undefined } }]],
  );
  return Object.fromEntries(entries) as Fields; // the keys are those of the fields
}

function readFilled(spot: Spot | undefined): string | undefined {
  return readText(spot) === undefined ? undefined : readTemplate(spot);
}

function readRecord(spot: Spot | undefined): Readonly<Record<string, string>> {
  const entries = readEntries(spot) ?? [];
  return Object.fromEntries(entries.map(({ key, value }) => [key, readTemplate(value) ?? '']));
}

function readHeaders(spot: Spot | undefined): Readonly<Record<string, string>> {
  const headers = readRecord(spot);
  for (const { key, value } of readEntries(spot) ?? []) {
    const isCredential = CREDENTIALS.includes(key.toLowerCase());
    if (isCredential && !hasReference(headers[key] ?? '')) {
      fault(value, 'a credential never stands in this file; write ${NAME} and set NAME.');
    }
  }
  return headers;
}

/** With a reference in it, it can only be judged when it is filled in. */
function readUrl(spot: Spot | undefined): string | undefined {
  const text = readFilled(spot);
  if (spot === undefined || text === undefined || hasReference(text)) return text;
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol))
    return fault(spot, 'must be an http(s) URL.');
  if (url.username !== '' || url.password !== '') {
    return fault(spot, 'a password never stands in this file; use headers with ${NAME}.');
  }
  return text;
}

function readOAuth(spot: Spot | undefined): OAuthConfig | undefined {
  const fields = readFields(spot, ['clientId', 'scopes', 'clientMetadataUrl'], {
    clientSecret: 'a secret never stands in this file; the gate is a public client with PKCE.',
  });
  if (fields === undefined) return undefined;
  const clientId = readText(fields['clientId']);
  const scopes = readTexts(fields['scopes']);
  const clientMetadataUrl = readText(fields['clientMetadataUrl']);
  const metadata = fields['clientMetadataUrl'];
  if (metadata !== undefined && clientMetadataUrl !== undefined) {
    const url = URL.parse(clientMetadataUrl);
    if (url === null || !isSafeUrl(url) || url.protocol !== 'https:' || url.pathname === '/') {
      fault(metadata, 'must be an https URL with a path.');
    }
  }
  return {
    ...(clientId !== undefined && { clientId }),
    ...(scopes !== undefined && { scopes }),
    ...(clientMetadataUrl !== undefined && { clientMetadataUrl }),
  };
}

function readKeyPlaces(spot: Spot | undefined): KeyPlaces | undefined {
  const fields = readFields(spot, ['header', 'argument', 'meta']);
  if (spot === undefined || fields === undefined) return undefined;
  const header = readText(fields['header']);
  const argument = readText(fields['argument']);
  const meta = readText(fields['meta']);
  if (header !== undefined && !/^[\w!#$%&'*+.^`|~-]+$/.test(header)) {
    fault(fields['header'] ?? spot, 'must be the name of a header.');
  }
  return {
    ...(header !== undefined && { header }),
    ...(argument !== undefined && { argument }),
    ...(meta !== undefined && { meta }),
  };
}

function refuse(fields: Fields, keys: readonly string[], message: string): void {
  for (const key of keys) {
    const spot = fields[key];
    if (spot !== undefined) fault(spot, message);
  }
}
