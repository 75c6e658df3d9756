/** Proves that a running server answers: asks it for its tools, as any client would. */
import type { PlimsollServer } from '../serve/create-server.ts';
import type { HttpServer } from '../serve/http/open-http.ts';
import { CliError } from './cli-error.ts';

export async function checkAnswers(server: PlimsollServer, http: HttpServer): Promise<string> {
  const response = await fetch(http.mcpUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', method: 'tools/list', id: 1 }),
  });
  const body = (await response.json()) as { result?: { tools?: readonly unknown[] } };
  const tools = body.result?.tools;
  const wanted = server.toolLists.isPrivate ? undefined : server.operations.size;
  if (!response.ok || tools === undefined || (wanted !== undefined && tools.length !== wanted)) {
    throw new CliError(`${http.mcpUrl} did not list its tools; it said ${response.status}`);
  }
  return `ok: ${server.name} ${server.version} listed ${tools.length} tools at ${http.mcpUrl}`;
}
