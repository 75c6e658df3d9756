/** A POST over a real socket with any headers, Host included, which fetch would not let through. */
import { request } from 'node:http';

export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

export async function post(
  url: string,
  body: string | Buffer,
  headers: Readonly<Record<string, string>> = {},
  method = 'POST',
): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method,
      headers: { 'content-type': 'application/json', ...headers },
    });
    outgoing.once('error', reject);
    outgoing.once('response', (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.once('error', reject);
      response.once('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text });
      });
    });
    outgoing.end(body);
  });
}

/** The JSON-RPC message in an answer, whether it came as JSON or as one event. */
export function messageIn({ headers, text }: Answered): Record<string, unknown> {
  const isStream = String(headers['content-type']).startsWith('text/event-stream');
  const json = isStream ? (/^data: (.*)$/m.exec(text)?.[1] ?? '') : text;
  return JSON.parse(json) as Record<string, unknown>;
}
