/** What `npm start -- --check` does, with a real client and a console visitor. Throws when it fails. */
import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Question } from './console-visitor.ts';
import { ConsoleVisitor } from './console-visitor.ts';
import { openDemo } from './open-demo.ts';
import { playAgent } from './play-agent.ts';
import { writeStory } from './write-story.ts';

const READS = [
  'imagery__orders.list',
  'groupware__nc_calendar_list_calendars',
  'billing__list_plans',
];
const NAME = 'The order of the check';
const SPEND = {
  name: 'imagery__orders.archive.place',
  arguments: {
    project_id: 'prj_reef',
    display_name: NAME,
    captures: [{ id: 'scn_sample_harbour', bbox: [151.2, -33.9, 151.2487, -33.86] }],
  },
};

/** What each page must show of the demo data. */
const PAGES: Readonly<Record<string, string>> = Object.freeze({
  '/': 'orders.tasking.place',
  '/tools': 'orders.archive.place',
  '/calls': 'catalog.search',
  '/spend': 'jobs',
  '/servers': 'held back',
  '/servers/imagery': 'items.asset.download',
  '/servers/billing': 'sandbox',
});

export async function checkStart(folder: string): Promise<readonly string[]> {
  await writeStory(folder);
  await using demo = await openDemo({ folder });
  await using agent = await playAgent(demo);
  const visitor = await ConsoleVisitor.enter(demo.link);
  const lines = await checkPages(visitor);
  const client = new Client({ name: 'check', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(demo.mcpUrl));
  try {
    return [...lines, ...(await checkCalls(client, visitor))];
  } finally {
    void agent.done; // its calls keep waiting, and end with the gate
    await client.close();
  }
}

async function checkPages(visitor: ConsoleVisitor): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const [path, word] of Object.entries(PAGES)) {
    const text = await visitor.read(path);
    assert.ok(text.includes(word), `${path} shows ${word}`);
    lines.push(`the console shows ${path} in ${text.length} characters`);
  }
  const waiting = await visitor.questions();
  assert.equal(waiting.length, 4, 'the agent of the story waits');
  return [...lines, `${waiting.length} calls wait at the console`];
}

async function checkCalls(client: Client, visitor: ConsoleVisitor): Promise<readonly string[]> {
  const { tools } = await client.listTools();
  for (const name of READS) {
    const read = await client.callTool({ name, arguments: {} });
    assert.notEqual(read.isError, true, `${name} runs`);
  }
  const placing = client.callTool(SPEND);
  const question = await findQuestion(visitor);
  await visitor.approve(question);
  const placed = await placing;
  assert.notEqual(placed.isError, true, JSON.stringify(placed.content));
  const again = client.callTool(SPEND).catch(() => 'the check is over');
  assert.notEqual((await findQuestion(visitor)).id, question.id, 'one approval is for one call');
  void again;
  return [
    `${tools.length} tools behind the gate`,
    `${READS.join(' and ')} ran`,
    `${SPEND.name} waited, ran after approval, and waits again the next time`,
  ];
}

async function findQuestion(visitor: ConsoleVisitor): Promise<Question> {
  for (let tries = 0; tries < 100; tries += 1) {
    const waiting = await visitor.questions();
    const found = waiting.find(({ card }) => JSON.stringify(card).includes(NAME));
    if (found !== undefined) return found;
    await wait(100);
  }
  throw new Error('the question is not in the queue');
}
