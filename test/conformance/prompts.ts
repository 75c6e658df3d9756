/** The prompts of the suite, and one that comes and goes. */
import type { GetPromptResult, McpServer, RegisteredPrompt } from '@modelcontextprotocol/server';
import { acceptedContent, completable, inputRequired } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { askContext, CONTEXT } from './questions.ts';
import { RED_PIXEL } from './samples.ts';

type Content = GetPromptResult['messages'][number]['content'];

const WORDS = ['paris', 'park', 'party', 'test', 'testing'];

export function registerPrompts(server: McpServer): void {
  server.registerPrompt('test_simple_prompt', { description: 'One message.' }, () =>
    fromUser({ type: 'text', text: 'This is a simple prompt for testing.' }),
  );
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'Repeats its two arguments.',
      argsSchema: z.object({
        arg1: completable(z.string().describe('First test argument'), (start) =>
          WORDS.filter((word) => word.startsWith(start)),
        ),
        arg2: z.string().describe('Second test argument'),
      }),
    },
    ({ arg1, arg2 }) =>
      fromUser({ type: 'text', text: `Prompt with arguments: arg1='${arg1}', arg2='${arg2}'` }),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    {
      description: 'Has a resource inside.',
      argsSchema: z.object({ resourceUri: z.string().describe('URI of the resource to embed') }),
    },
    ({ resourceUri }) =>
      fromUser(
        {
          type: 'resource',
          resource: {
            uri: resourceUri,
            mimeType: 'text/plain',
            text: 'Embedded resource content for testing.',
          },
        },
        { type: 'text', text: 'Please process the embedded resource above.' },
      ),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'Has a picture inside.' }, () =>
    fromUser(
      { type: 'image', ...RED_PIXEL },
      { type: 'text', text: 'Please analyze the image above.' },
    ),
  );
  server.registerPrompt(
    'test_input_required_result_prompt',
    { description: 'Asks the user what it is about.' },
    ({ mcpReq }) => {
      const answer = acceptedContent(mcpReq.inputResponses, 'user_context', CONTEXT);
      if (answer !== undefined) return fromUser({ type: 'text', text: answer.context });
      return inputRequired({ inputRequests: { user_context: askContext } });
    },
  );
}

export function registerOccasionalPrompt(server: McpServer): RegisteredPrompt {
  return server.registerPrompt('test_occasional_prompt', { description: 'Not always there.' }, () =>
    fromUser({ type: 'text', text: 'Now it is there.' }),
  );
}

function fromUser(...contents: readonly Content[]): GetPromptResult {
  return { messages: contents.map((content) => ({ role: 'user', content })) };
}
