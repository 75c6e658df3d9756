/** Runs scripts with a client and hands back what it saw. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Json, JsonObject } from './fixture-world.ts';
import type { Script, Step } from './script.ts';
import type { StepTrace } from './trace.ts';
import type { TracedClient } from './traced-client.ts';

export interface ScriptRun {
  readonly client: TracedClient;
  /** In front of the names of tools and prompts. */
  readonly prefix: string;
  readonly recover: () => Promise<void>;
  /** For a request that may never be answered. */
  readonly patienceMs: number;
  /** What stands for `{key}` and `{marker}`. */
  readonly texts: Readonly<Record<string, string>>;
}

const TIMEOUT_MS = 20_000;
/** For messages that should not come: they belong to the script that caused them. */
const SETTLE_MS = 30;

export async function openTraced({ client }: ScriptRun): Promise<StepTrace> {
  const outcome = await settle(client.open());
  return client.recorder.take('handshake/open', outcome);
}

export async function runScript(script: Script, run: ScriptRun): Promise<readonly StepTrace[]> {
  const { recorder } = run.client;
  const traces: StepTrace[] = [];
  for (const step of script.steps) {
    const outcome = await settle(runStep(step, run));
    if (step.awaits !== undefined) await recorder.wait(step.awaits);
    traces.push(recorder.take(`${script.name}/${step.name}`, outcome));
  }
  await sleep(SETTLE_MS);
  traces.push(recorder.take(`${script.name}/(after it)`, null));
  return traces;
}

async function runStep(step: Step, run: ScriptRun): Promise<Json> {
  const { client, prefix, recover, patienceMs, texts } = run;
  if (step.recover) await recover();
  if (step.listen !== undefined) await client.listen(step.listen);
  if (step.unlisten) await client.unlisten();
  if (step.notify !== undefined) await client.notify(step.notify);
  if (step.request === undefined) return null;
  const controller = new AbortController();
  const { recorder } = client;
  recorder.onreceived = ({ method }) => {
    if (step.cancel && method === 'notifications/progress') controller.abort(new Error('enough'));
  };
  const params = withPrefix(fill(step.params ?? {}, texts), step.plain ? '' : prefix);
  return client.request(step.request, params, {
    progress: step.progress === true,
    signal: controller.signal,
    timeoutMs: step.mayHang ? patienceMs : TIMEOUT_MS,
  });
}

function fill(params: JsonObject, texts: Readonly<Record<string, string>>): JsonObject {
  const { arguments: args } = params;
  if (args === undefined) return params;
  const filled = Object.entries(args as JsonObject).map(([key, value]) => {
    const text = typeof value === 'string' ? texts[value] : undefined;
    return [key, text ?? value];
  });
  return { ...params, arguments: Object.fromEntries(filled) as JsonObject };
}

function withPrefix(params: JsonObject, prefix: string): JsonObject {
  const { name, ref } = params;
  if (typeof name === 'string') return { ...params, name: `${prefix}${name}` };
  const { type, name: inner } = (ref ?? {}) as { type?: string; name?: string }; // of our own scripts
  if (type !== 'ref/prompt') return params;
  return { ...params, ref: { type, name: `${prefix}${inner ?? ''}` } };
}

async function settle(work: Promise<Json>): Promise<Json> {
  try {
    return { value: await work };
  } catch (error) {
    const { name, message, code, data } = error as Error & { code?: Json; data?: Json };
    return { error: { name, message, code, data } };
  }
}
