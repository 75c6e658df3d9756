/** Tools of 2026-07-28 that answer with a question and are called again with the reply. */
import type {
  ClientCapabilities,
  InputRequests,
  ServerContext,
} from '@modelcontextprotocol/server';
import {
  acceptedContent,
  CLIENT_CAPABILITIES_META_KEY,
  inputRequired,
  inputResponse,
} from '@modelcontextprotocol/server';
import type { Answer, Call, Operation } from 'plimsoll/server';
import { contextOf, defineLookup, MODEL_WORK } from './lookup.ts';
import type { State } from './questions.ts';
import {
  askColor,
  askConsent,
  askForCapital,
  askForGreeting,
  askName,
  askRoots,
  COLOR,
  CONSENT,
  NAME,
  stateCodec,
} from './questions.ts';

function greet(call: Call): Answer<string> {
  const answer = acceptedContent(contextOf(call).mcpReq.inputResponses, 'user_name', NAME);
  if (answer !== undefined) return `Hello, ${answer.name}!`;
  return inputRequired({ inputRequests: { user_name: askName } });
}

const elicitation = defineLookup({
  name: 'test_input_required_result_elicitation',
  title: 'Ask for a Name',
  description: 'Asks the user for a name and greets them by it.',
  run: greet,
});

const streamingElicitation = defineLookup({
  name: 'test_streaming_elicitation',
  title: 'Ask after Progress',
  description: 'Tells how far it is, then asks for a name.',
  run: async (call) => {
    await call.progress(1, 2, 'A name is needed.');
    return greet(call);
  },
});

const sampling = defineLookup({
  name: 'test_input_required_result_sampling',
  title: 'Ask a Model',
  description: "Asks the client's model a question and passes its answer on.",
  effect: MODEL_WORK,
  run: (call) => {
    const answer = inputResponse(contextOf(call).mcpReq.inputResponses, 'capital_question');
    if (answer.kind === 'sampling') return JSON.stringify(answer.result.content);
    return inputRequired({ inputRequests: { capital_question: askForCapital } });
  },
});

/** Asks whatever the client declared, so that a client without a model shows who refuses. */
const missingCapability = defineLookup({
  name: 'test_missing_capability',
  title: 'Ask a Model Regardless',
  description: 'Asks the model of the client whether or not the client said that it has one.',
  effect: MODEL_WORK,
  run: (call) => {
    const answer = inputResponse(contextOf(call).mcpReq.inputResponses, 'greeting');
    if (answer.kind === 'sampling') return JSON.stringify(answer.result.content);
    return inputRequired({ inputRequests: { greeting: askForGreeting } });
  },
});

const listRoots = defineLookup({
  name: 'test_input_required_result_list_roots',
  title: 'Ask for Roots',
  description: 'Asks the client which folders it has open.',
  run: (call) => {
    const answer = inputResponse(contextOf(call).mcpReq.inputResponses, 'client_roots');
    if (answer.kind === 'roots') return answer.roots.map(({ uri }) => uri).join('\n');
    return inputRequired({ inputRequests: { client_roots: askRoots } });
  },
});

/** One behaviour under the two names that the suite has for it. */
function defineConfirmation(name: string): Operation {
  return defineLookup({
    name,
    title: 'Confirm with State',
    description: 'Asks for a yes and holds the client to the state it was given.',
    run: async (call) => {
      const context = contextOf(call);
      const { inputResponses, requestState } = context.mcpReq;
      const answer = acceptedContent(inputResponses, 'confirm', CONSENT);
      if (answer?.ok === true && requestState<State>()?.step === 'asked') return 'state-ok';
      return inputRequired({
        inputRequests: { confirm: askConsent },
        requestState: await stateCodec.mint({ step: 'asked' }, context),
      });
    },
  });
}

const multipleInputs = defineLookup({
  name: 'test_input_required_result_multiple_inputs',
  title: 'Ask Three Things',
  description: 'Asks the user, the model and the client at once.',
  effect: MODEL_WORK,
  run: async (call) => {
    const context = contextOf(call);
    const { inputResponses } = context.mcpReq;
    const user = acceptedContent(inputResponses, 'user_name', NAME);
    const greeting = inputResponse(inputResponses, 'greeting');
    const folders = inputResponse(inputResponses, 'client_roots');
    if (user !== undefined && greeting.kind === 'sampling' && folders.kind === 'roots') {
      return `${user.name} has ${folders.roots.length} root(s).`;
    }
    return inputRequired({
      inputRequests: { user_name: askName, greeting: askForGreeting, client_roots: askRoots },
      requestState: await stateCodec.mint({ step: 'asked' }, context),
    });
  },
});

const multiRound = defineLookup({
  name: 'test_input_required_result_multi_round',
  title: 'Ask Twice',
  description: 'Asks for a name, then for a color, and remembers the name in between.',
  run: async (call) => {
    const context = contextOf(call);
    const { inputResponses, requestState } = context.mcpReq;
    const remembered = requestState<State>()?.name;
    const color = acceptedContent(inputResponses, 'step2', COLOR)?.color;
    if (remembered !== undefined && color !== undefined) return `${remembered} likes ${color}.`;
    const name = remembered ?? acceptedContent(inputResponses, 'step1', NAME)?.name;
    return name === undefined
      ? inputRequired({
          inputRequests: { step1: askName },
          requestState: await stateCodec.mint({ step: 'asked' }, context),
        })
      : inputRequired({
          inputRequests: { step2: askColor },
          requestState: await stateCodec.mint({ step: 'named', name }, context),
        });
  },
});

const capabilities = defineLookup({
  name: 'test_input_required_result_capabilities',
  title: 'Ask What Can Be Answered',
  description: 'Asks only in the ways that the client declared.',
  effect: MODEL_WORK,
  run: (call) => {
    const context = contextOf(call);
    const { inputResponses } = context.mcpReq;
    const declared = declaredBy(context);
    const inputRequests: InputRequests = {
      ...(declared.sampling !== undefined && { greeting: askForGreeting }),
      ...(declared.elicitation !== undefined && { user_name: askName }),
    };
    const isOpen = Object.keys(inputRequests).some((key) => inputResponses?.[key] === undefined);
    return isOpen ? inputRequired({ inputRequests }) : 'Nothing is left to ask.';
  },
});

function declaredBy({ mcpReq: { envelope } }: ServerContext): ClientCapabilities {
  // The SDK has checked the envelope; only its published type has lost the keys.
  const checked = envelope as Readonly<Record<string, ClientCapabilities>> | undefined;
  return checked?.[CLIENT_CAPABILITIES_META_KEY] ?? {};
}

export const inputRequiredTools: readonly Operation[] = [
  elicitation,
  streamingElicitation,
  sampling,
  missingCapability,
  listRoots,
  defineConfirmation('test_input_required_result_request_state'),
  defineConfirmation('test_input_required_result_tampered_state'),
  multipleInputs,
  multiRound,
  capabilities,
];
