/**
 * Tools that ask the client for something while they run, as the 2025 revisions do it: two by a
 * request of their own, two by an `input_required` answer that the SDK turns into such a request.
 */
import type { ElicitRequestFormParams } from '@modelcontextprotocol/server';
import { inputRequired, inputResponse } from '@modelcontextprotocol/server';
import type { Answer, Call, Operation } from 'plimsoll/server';
import { defineOperation, reads } from 'plimsoll/server';
import { z } from 'zod';
import { contextOf, defineLookup, MODEL_WORK } from './lookup.ts';

const sampling = defineOperation({
  name: 'test_sampling',
  title: 'Sampling',
  description: "Has the client's language model answer a prompt.",
  input: z.object({ prompt: z.string().describe('What the model is asked.') }),
  effect: MODEL_WORK,
  run: async ({ prompt }, call) => {
    const { content } = await contextOf(call).mcpReq.requestSampling({
      messages: [{ role: 'user', content: { type: 'text', text: prompt } }],
      maxTokens: 100,
    });
    return `LLM response: ${JSON.stringify(content)}`;
  },
});

const elicitation = defineOperation({
  name: 'test_elicitation',
  title: 'Elicitation',
  description: 'Asks the user for a name and an address.',
  input: z.object({ message: z.string().describe('What the user is shown.') }),
  effect: reads('user', { reach: 'none', trace: 'nothing' }),
  run: async ({ message }, call) => {
    const { action, content } = await contextOf(call).mcpReq.elicitInput({
      message,
      requestedSchema: {
        type: 'object',
        properties: {
          username: { type: 'string', description: "User's response" },
          email: { type: 'string', description: "User's email address" },
        },
        required: ['username', 'email'],
      },
    });
    return `User response: action=${action}, content=${JSON.stringify(content ?? {})}`;
  },
});

const defaults = defineLookup({
  name: 'test_elicitation_sep1034_defaults',
  title: 'Elicitation with Defaults',
  description: 'Asks with a form in which every kind of field is filled in already.',
  run: (call) =>
    askOnce(call, {
      message: 'Please check what is filled in.',
      requestedSchema: {
        type: 'object',
        properties: {
          name: { type: 'string', default: 'John Doe' },
          age: { type: 'integer', default: 30 },
          score: { type: 'number', default: 95.5 },
          status: { type: 'string', enum: ['active', 'inactive', 'pending'], default: 'active' },
          verified: { type: 'boolean', default: true },
        },
      },
    }),
});

const OPTIONS = ['option1', 'option2', 'option3'];

const enums = defineLookup({
  name: 'test_elicitation_sep1330_enums',
  title: 'Elicitation with Choices',
  description: 'Asks with every way of writing a choice.',
  run: (call) =>
    askOnce(call, {
      message: 'Please choose.',
      requestedSchema: {
        type: 'object',
        properties: {
          untitledSingle: { type: 'string', enum: OPTIONS },
          titledSingle: { type: 'string', oneOf: titled('Option') },
          legacyEnum: {
            type: 'string',
            enum: ['opt1', 'opt2', 'opt3'],
            enumNames: ['Option One', 'Option Two', 'Option Three'],
          },
          untitledMulti: { type: 'array', items: { type: 'string', enum: OPTIONS } },
          titledMulti: { type: 'array', items: { anyOf: titled('Choice') } },
        },
      },
    }),
});

function titled(noun: string): { const: string; title: string }[] {
  return ['First', 'Second', 'Third'].map((ordinal, index) => ({
    const: `value${index + 1}`,
    title: `${ordinal} ${noun}`,
  }));
}

/** Asks on the first round, tells the answer on the second. */
function askOnce(call: Call, form: ElicitRequestFormParams): Answer<string> {
  const answer = inputResponse(contextOf(call).mcpReq.inputResponses, 'form');
  if (answer.kind !== 'elicit') {
    return inputRequired({ inputRequests: { form: inputRequired.elicit(form) } });
  }
  const content = JSON.stringify(answer.content ?? {});
  return `Elicitation completed: action=${answer.action}, content=${content}`;
}

export const askingTools: readonly Operation[] = [sampling, elicitation, defaults, enums];
