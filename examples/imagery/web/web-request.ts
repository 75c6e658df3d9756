/** A request of Node's server as the handlers see it. */
import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { Identity, PlimsollServer } from 'plimsoll/server';
import { ProblemError } from 'plimsoll/server';
import type { WebRequest } from './route.ts';
import { Refused } from './route.ts';

const MOST_BODY_BYTES = 1024 * 1024;

interface Given extends Pick<WebRequest, 'url' | 'params' | 'signal'> {
  readonly servers: readonly PlimsollServer[];
}

export function toWebRequest(
  incoming: IncomingMessage,
  { url, params, signal, servers }: Given,
): WebRequest {
  const headers = toHeaders(incoming);
  let identity: Promise<Identity> | undefined;
  let calls = 0;
  const givenKey = headers['idempotency-key'];
  return {
    url,
    params,
    headers,
    signal,
    body: () => readObject(incoming),
    call: async <Result>(name: string, args: object): Promise<Result> => {
      const server = servers.find(({ operations }) => operations.has(name));
      const operation = server?.operations.get(name);
      if (server === undefined || operation === undefined) throw new Error(`no operation ${name}`);
      identity ??= server.identify(tokenIn(headers['authorization']));
      calls += 1;
      const outcome = await server.invoke({
        operation,
        args,
        identity: await identity,
        via: 'http',
        signal,
        progress: async () => {},
        // One key of the caller covers several calls here, so each gets one that is derived from it.
        ...(operation.effect.repeat.kind === 'key' && {
          keys: [givenKey === undefined ? randomUUID() : `${givenKey}.${calls}`],
        }),
      });
      if (outcome.kind === 'failure') throw new Refused(outcome.problem);
      if (outcome.kind !== 'success') throw new Error(`${name} asked a question`);
      return outcome.value as Result; // the output schema of the operation has been checked
    },
  };
}

function toHeaders({ headers }: IncomingMessage): WebRequest['headers'] {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  );
}

function tokenIn(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}

async function readObject(incoming: IncomingMessage): Promise<Readonly<Record<string, unknown>>> {
  if (Number(incoming.headers['content-length'] ?? Infinity) > MOST_BODY_BYTES) {
    const fields = { limit: MOST_BODY_BYTES };
    throw new ProblemError('payload-too-large', 'Say how long the body is, at most 1 MiB.', fields);
  }
  let value: unknown;
  try {
    value = JSON.parse(await text(incoming));
  } catch {
    throw new ProblemError('malformed-json', 'The body is not JSON. Nothing was run.');
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return value as Readonly<Record<string, unknown>>;
  }
  throw new ProblemError('invalid-input', 'The body must be a JSON object. Nothing was run.');
}
