/** The tools of a server as its gate judges them: the same reading, the same pins, the same quarantine. */
import type { KnownTool } from '../../gate/gate-call.ts';
import { openJudge } from '../../gate/judge-tool.ts';
import type { Pins } from '../../gate/pins/open-pins.ts';
import { ToolBook } from '../../gate/tool-book.ts';
import type { JsonValue } from '../../lib/json-value.ts';
import type { ServerView } from '../console-services.ts';

/** Entries without a name are left out: nobody can call them. Of entries with one name the last counts. */
export function knownTools(server: ServerView, pins: Pins | undefined): readonly KnownTool[] {
  const book = openBook(server, pins);
  return book.definitions.flatMap(({ name }) => {
    const tool = typeof name === 'string' ? book.find(name) : undefined;
    return tool === undefined ? [] : [tool];
  });
}

export function findKnownTool(
  server: ServerView,
  name: string,
  pins: Pins | undefined,
): KnownTool | undefined {
  return openBook(server, pins).find(name);
}

function openBook({ name, trusted, tools }: ServerView, pins: Pins | undefined): ToolBook {
  const judge = openJudge({ server: name, trusted, ...(pins !== undefined && { pins }) });
  const book = new ToolBook(judge);
  book.learn({ tools: tools as readonly JsonValue[] }, true); // they came over the wire as JSON
  return book;
}
