/** What is to be known of a server over HTTP. */
import type { JsonObject } from '../../frame.ts';
import type { Authorize } from './link.ts';

export interface EndpointOptions {
  readonly url: string;
  /** Sent with every request, such as a key that the server wants. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly authorize?: Authorize;
  /** How long the server may say nothing before a request counts as lost. Default: five minutes. */
  readonly timeoutMs?: number;
  /** The largest message that is taken. */
  readonly maxBytes?: number;
  /** The input schema of a tool, for arguments that it wants repeated in headers. */
  readonly toolOf?: (name: string) => { readonly inputSchema: JsonObject } | undefined;
}
