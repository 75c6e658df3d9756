/** How hosts write one server: the same facts under different names. */

export interface Dialect {
  /** Members that hold a streamable HTTP address; the first is the one that is written. */
  readonly urls: readonly string[];
  /** A member whose address is one of the old SSE transport, unless `type` says otherwise. */
  readonly sseUrl?: string;
  /** The command and its arguments are one list under `command`. */
  readonly isOneList: boolean;
  readonly env: string;
  /** Names of variables that the host hands on from its own environment. */
  readonly envNames?: string;
  /** Leads to the headers. */
  readonly headers: readonly [string, ...string[]];
  /** Headers whose values are in variables, by the names of these. */
  readonly headersFrom?: string;
  /** The name of the variable with a bearer token. */
  readonly bearerFrom?: string;
  /** What `type` says of a command and of a URL. */
  readonly types: { readonly command: string; readonly remote: string };
}

/** Claude Desktop, Claude Code, Cursor, VS Code, Windsurf, Zed, LM Studio. */
const COMMON: Dialect = {
  urls: ['url', 'serverUrl', 'httpUrl'],
  isOneList: false,
  env: 'env',
  headers: ['headers'],
  types: { command: 'stdio', remote: 'http' },
};

export const DIALECTS = Object.freeze({
  common: COMMON,
  gemini: { ...COMMON, urls: ['httpUrl'], sseUrl: 'url' },
  codex: {
    ...COMMON,
    urls: ['url'],
    envNames: 'env_vars',
    headers: ['http_headers'],
    headersFrom: 'env_http_headers',
    bearerFrom: 'bearer_token_env_var',
  },
  continue: {
    ...COMMON,
    urls: ['url'],
    headers: ['requestOptions', 'headers'],
    types: { command: 'stdio', remote: 'streamable-http' },
  },
  opencode: {
    ...COMMON,
    urls: ['url'],
    isOneList: true,
    env: 'environment',
    types: { command: 'local', remote: 'remote' },
  },
} satisfies Readonly<Record<string, Dialect>>);
