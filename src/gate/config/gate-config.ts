/**
 * What `plimsoll.yaml` says, as data. Texts are kept as they were written, with `${NAME}` for what
 * comes from the environment, so that a configuration can be shown; `expandServer` fills it in.
 */
import type { JSONWebKeySet } from 'jose';
import type { Mode } from '../../effect/effect.ts';
import type { Principal } from '../../effect/operation.ts';
import type { Policy } from '../policy/policy.ts';

export interface GateConfig {
  /** Absolute. */
  readonly file: string;
  readonly servers: readonly ServerConfig[];
  /** Absent: the default rules. */
  readonly policy?: Policy;
  /** Absolute; where the policy has a file of its own. */
  readonly policyFile?: string;
  /** `sqlite:FILE` with an absolute file, or `postgres://…`, where `${NAME}` may be. */
  readonly ledger?: string;
  /** Absolute. Absent: the pins that the user has for the folder. */
  readonly lock?: string;
  readonly http?: HttpConfig;
  /** Bytes of the largest message that is taken from a client. */
  readonly messageLimit?: number;
}

export type ServerConfig = ProcessServer | RemoteServer;

interface ServerTraits {
  readonly name: string;
  /** Its claims about its own tools may lower the risk. Absent: as the policy says. */
  readonly trusted?: boolean;
  /** Absent: as the policy says. */
  readonly mode?: Mode;
  readonly disabled: boolean;
  readonly idempotency?: KeyPlaces;
}

/** A server that is started and spoken to over stdio. */
export interface ProcessServer extends ServerTraits {
  readonly kind: 'process';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** What it gets of the gate's environment besides: its name there, and the variable's name here. */
  readonly passEnv?: Readonly<Record<string, string>>;
  /** Absolute; the folder of the file unless it says otherwise. */
  readonly cwd: string;
}

/** A server that is spoken to over streamable HTTP. */
export interface RemoteServer extends ServerTraits {
  readonly kind: 'remote';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth?: OAuthConfig;
}

/** Where a server takes an idempotency key: the names of a header, an argument and a `_meta` key. */
interface KeyPlaces {
  readonly header?: string;
  readonly argument?: string;
  readonly meta?: string;
}

export interface OAuthConfig {
  /** Registered by hand; without one, the gate registers itself. */
  readonly clientId?: string;
  readonly scopes?: readonly string[];
  readonly clientMetadataUrl?: string;
}

export interface HttpConfig {
  readonly host?: string;
  readonly port?: number;
  readonly allowedHosts?: readonly string[];
  readonly allowedOrigins?: readonly string[];
  /** How many sessions may be open at once, in all and of one caller. */
  readonly sessionLimit?: number;
  readonly sessionsPerCaller?: number;
  readonly sessionIdleMinutes?: number;
  readonly tokens: readonly TokenConfig[];
  readonly jwt?: JwtConfig;
}

/** A bearer token by what does not give it away. */
export type TokenConfig =
  | { readonly kind: 'environment'; readonly variable: string; readonly principal: Principal }
  | { readonly kind: 'digest'; readonly sha256: string; readonly principal: Principal };

export interface JwtConfig {
  readonly keys:
    | { readonly kind: 'url'; readonly url: string }
    | { readonly kind: 'inline'; readonly jwks: JSONWebKeySet };
  readonly issuer: string;
  /** One of these must be in the token. */
  readonly audience: readonly string[];
  readonly principalClaim: string;
  readonly tenantClaim?: string;
  readonly scopeClaim: string;
}
