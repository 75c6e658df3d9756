/**
 * The server that the conformance suite runs against: the suite's tools as operations of the kit,
 * prompts and resources through `extend`. By hand: `node --conditions=plimsoll-source
 * test/conformance/fixture-server.ts 4600`.
 */
import type { McpServer, ServerEventBus } from '@modelcontextprotocol/server';
import { InMemoryServerEventBus } from '@modelcontextprotocol/server';
import type { HttpServer, Operation } from 'plimsoll/server';
import { createServer, openHttp, updates } from 'plimsoll/server';
import { askingTools } from './asking-tools.ts';
import { contentTools } from './content-tools.ts';
import { createEventMemory } from './event-memory.ts';
import { inputRequiredTools } from './input-required-tools.ts';
import { defineLookup } from './lookup.ts';
import { registerOccasionalPrompt, registerPrompts } from './prompts.ts';
import { stateCodec } from './questions.ts';
import { registerResources, WATCHED_URI, watchResources } from './resources.ts';
import { streamTools } from './stream-tools.ts';

/** Whether the occasional prompt is listed, and who is told when that changes. */
class PromptSwitch {
  readonly bus: ServerEventBus = new InMemoryServerEventBus();
  isOn = false;

  flip(): void {
    this.isOn = !this.isOn;
    this.bus.publish({ kind: 'prompts_list_changed' });
    this.bus.publish({ kind: 'resource_updated', uri: WATCHED_URI });
  }
}

export async function openFixture(port = 0): Promise<HttpServer> {
  const occasional = new PromptSwitch();
  const server = createServer({
    name: 'plimsoll-conformance',
    version: '1.0.0',
    operations: [
      ...contentTools,
      ...streamTools,
      ...askingTools,
      ...inputRequiredTools,
      definePromptChange(occasional),
    ],
    mcp: {
      capabilities: { logging: {}, resources: { subscribe: true, listChanged: false } },
      requestState: stateCodec,
      extend: (instance) => extend(instance, occasional),
    },
  });
  return openHttp(server, {
    port,
    changes: occasional.bus,
    resumption: { createEventStore: createEventMemory, retryMs: 500 },
  });
}

function definePromptChange(occasional: PromptSwitch): Operation {
  return defineLookup({
    name: 'test_trigger_prompt_change',
    title: 'Change the Prompts',
    description: 'Adds a prompt to the list, or takes it away again.',
    effect: updates('prompt list', { repeat: 'fresh', overwrites: false, trace: 'nothing' }),
    run: () => {
      occasional.flip();
      return `The occasional prompt is ${occasional.isOn ? 'on' : 'off'}.`;
    },
  });
}

function extend(instance: McpServer, occasional: PromptSwitch): void {
  registerPrompts(instance);
  const prompt = registerOccasionalPrompt(instance);
  if (!occasional.isOn) prompt.disable();
  registerResources(instance, () => `The occasional prompt is ${occasional.isOn ? 'on' : 'off'}.`);
  const watched = watchResources(instance);
  // Only sessions of the 2025 revisions live long enough to be told something.
  instance.server.oninitialized = () => {
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK has only the property
    instance.server.onclose = occasional.bus.subscribe((event) => {
      if (event.kind === 'prompts_list_changed') prompt.update({ enabled: occasional.isOn });
      if (event.kind === 'resource_updated' && watched.has(event.uri)) {
        void instance.server.sendResourceUpdated({ uri: event.uri });
      }
    });
  };
}

if (import.meta.main) {
  const { mcpUrl } = await openFixture(Number(process.argv[2] ?? 0));
  process.stdout.write(`${mcpUrl}\n`);
}
