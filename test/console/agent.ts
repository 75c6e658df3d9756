/** An agent that wants to spend: a real MCP client at the gate, whose calls can be told apart by name. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { problemCode } from '../../scripts/start/problem-code.ts';

export interface Said {
  /** `ran`, or why not. */
  readonly code: string;
  readonly text: string;
}

/** Less than that of a test, so that an answer that never comes is told as such. */
const PATIENCE = { timeout: 20_000 };

export class SpendingAgent {
  readonly #client = new Client({ name: 'spender', version: '1.0.0' });

  static async connect(mcpUrl: URL): Promise<SpendingAgent> {
    const agent = new SpendingAgent();
    await agent.#client.connect(new StreamableHTTPClientTransport(mcpUrl));
    return agent;
  }

  /** Settles when the gate answers, which may take as long as it holds calls. */
  async order(display_name: string): Promise<Said> {
    const name = 'imagery__orders.archive.place';
    const captures = [{ id: 'scn_sample_harbour', bbox: [151.2, -33.9, 151.2487, -33.86] }];
    const order = { project_id: 'prj_reef', display_name, captures };
    const result = await this.#client.callTool({ name, arguments: order }, PATIENCE);
    const code = problemCode(result) ?? (result.isError === true ? 'failed' : 'ran');
    return { code, text: JSON.stringify(result.content) };
  }

  /** The names of the orders that were really placed. */
  async placed(): Promise<readonly string[]> {
    const name = 'imagery__orders.list';
    const { structuredContent } = await this.#client.callTool({ name, arguments: {} }, PATIENCE);
    // As the tool's own schema says.
    const { orders } = structuredContent as {
      readonly orders: readonly { readonly display_name: string }[];
    };
    return orders.map(({ display_name }) => display_name);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#client.close();
  }
}
