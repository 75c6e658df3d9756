/** The questions that tools and prompts ask, and the state that they hold between two rounds. */
import { randomBytes } from 'node:crypto';
import type { InputRequest } from '@modelcontextprotocol/server';
import { createRequestStateCodec, inputRequired } from '@modelcontextprotocol/server';
import { z } from 'zod';

export interface State {
  readonly step: 'asked' | 'named';
  readonly name?: string;
}

/** Signs what goes through the client between rounds; the server refuses what it did not sign. */
export const stateCodec = createRequestStateCodec<State>({
  key: randomBytes(32),
  ttlSeconds: 60,
  bind: ({ mcpReq }) => mcpReq.method,
});

export const NAME = z.object({ name: z.string() });
export const COLOR = z.object({ color: z.string() });
export const CONSENT = z.object({ ok: z.boolean() });
export const CONTEXT = z.object({ context: z.string() });

export const askName = ask('What is your name?', NAME);
export const askColor = ask('What is your favorite color?', COLOR);
export const askConsent = ask('Please confirm', CONSENT);
export const askContext = ask('What context should the prompt use?', CONTEXT);
export const askRoots = inputRequired.listRoots();
export const askForGreeting = askModel('Generate a greeting');
export const askForCapital = askModel('What is the capital of France?');

function ask(message: string, requestedSchema: z.ZodObject): InputRequest {
  return inputRequired.elicit({ message, requestedSchema });
}

function askModel(text: string): InputRequest {
  return inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text } }],
    maxTokens: 100,
  });
}
