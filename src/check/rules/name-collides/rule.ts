/** Names that can be confused with those of other servers' tools in the same host. */
import { foldName, quote } from '../../tool-texts.ts';
import { pointerInto } from '../../tool-schema.ts';
import type { Draft, Rule } from '../../rule.ts';
import type { ServerSubject, ToolSubject } from '../../subject.ts';

const SCRIPTS = [/\p{Script=Latin}/u, /\p{Script=Cyrillic}/u, /\p{Script=Greek}/u];

interface Neighbour {
  readonly server: string;
  readonly tool: string;
}

export const rule: Rule = {
  id: 'name-collides',
  category: 'security',
  severity: 'warning',
  summary: "A name equals or looks like that of another server's tool, or mixes scripts.",
  cost: 'The model can call the tool of one server while it means that of another, and send it data meant for the other.',
  codes: {
    'name-collides': 'A tool of another server has exactly this name.',
    'name-collides/confusable':
      'A tool of another server has this name except for case, separators or letters that look alike.',
    'name-collides/mixed-scripts': 'The name mixes letters of scripts that look alike.',
  },
  checkServer: (server) => {
    const others = neighboursOf(server);
    return server.tools.flatMap((tool) => [
      ...collisionsOf(tool, others),
      ...(mixesScripts(tool.name)
        ? [
            toDraft(
              tool,
              'name-collides/mixed-scripts',
              `The name ${quote(tool.name)} mixes scripts whose letters look alike.`,
            ),
          ]
        : []),
    ]);
  },
};

function collisionsOf(
  tool: ToolSubject,
  others: ReadonlyMap<string, readonly Neighbour[]>,
): readonly Draft[] {
  const alike = others.get(foldName(tool.name)) ?? [];
  const same = alike.filter((other) => other.tool === tool.name);
  if (same.length > 0) {
    const servers = same.slice(0, 3).map((other) => quote(other.server));
    const message = `The server ${servers.join(' and ')} also has a tool ${quote(tool.name)}.`;
    return [toDraft(tool, 'name-collides', message)];
  }
  return alike
    .slice(0, 1)
    .map((other) =>
      toDraft(
        tool,
        'name-collides/confusable',
        `The name ${quote(tool.name)} is easily confused with ${quote(other.tool)} of the server ${quote(other.server)}.`,
      ),
    );
}

function neighboursOf({ neighbours }: ServerSubject): ReadonlyMap<string, readonly Neighbour[]> {
  const all = neighbours.flatMap(({ name, tools }) =>
    tools.map((tool): Neighbour => ({ server: name, tool })),
  );
  return Map.groupBy(
    all.filter(({ tool }) => foldName(tool) !== ''),
    ({ tool }) => foldName(tool),
  );
}

function mixesScripts(name: string): boolean {
  return SCRIPTS.filter((script) => script.test(name)).length > 1;
}

function toDraft(tool: ToolSubject, code: string, message: string): Draft {
  return { code, tool: tool.name, pointer: pointerInto(tool.pointer, 'name'), message };
}
