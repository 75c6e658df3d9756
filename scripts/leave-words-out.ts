/**
 * Infers the effects of each server's tools as if few servers' words were known: every word of the tables that no
 * more than so many servers use, this one included, is taken out for as long as the server is looked at. It
 * estimates the score on servers that nobody has seen, without labels of new ones.
 */
import type { InferredEffect } from '../src/effect/infer/infer-effect.ts';
import { inferEffect } from '../src/effect/infer/infer-effect.ts';
import * as leads from '../src/effect/infer/find-lead.ts';
import { VERBS } from '../src/effect/infer/lexicon.ts';
import * as nouns from '../src/effect/infer/nouns.ts';
import { NAME_RULES } from '../src/effect/infer/object-rules.ts';
import { RARE_VERBS } from '../src/effect/infer/rare-verbs.ts';
import { toSingular, toStems, toWords } from '../src/effect/infer/to-words.ts';
import type { LabelledTool } from './labelled-tools.ts';

type Table = Set<string> | Map<string, unknown>;

const TABLES: ReadonlySet<Table> = new Set(
  [
    VERBS,
    RARE_VERBS,
    ...Object.values(nouns),
    ...Object.values(leads),
    ...NAME_RULES.flatMap((one) => [one.verbs, one.nouns, one.also, one.without, one.last]),
  ].flatMap((one): Table[] => {
    if (one instanceof Map) return [one as Map<string, unknown>]; // its keys are words
    return one instanceof Set ? [one as Set<string>] : []; // every set of these modules has words
  }),
);

export function inferLeavingWordsOut(
  labelled: readonly LabelledTool[],
  few: number,
): readonly InferredEffect[] {
  const users = new Map<string, Set<string>>();
  for (const { label, tool } of labelled)
    for (const word of wordsOf(tool))
      users.set(word, (users.get(word) ?? new Set()).add(label.list));
  const inferred = new Map<LabelledTool, InferredEffect>();
  for (const [server, rows] of Map.groupBy(labelled, ({ label }) => label.list)) {
    const own = [...users].flatMap(([word, by]) => (by.has(server) && by.size <= few ? word : []));
    const putBack = takeOut(own);
    // A list of its own, since what was read of a list is kept.
    const list = [...(rows[0]?.list ?? [])];
    for (const row of rows) inferred.set(row, inferEffect(row.tool, {}, list));
    putBack();
  }
  return labelled.flatMap((row) => inferred.get(row) ?? []);
}

/** The words of a name, and the verb that the description begins with. */
function wordsOf(tool: object): readonly string[] {
  const name = 'name' in tool && typeof tool.name === 'string' ? tool.name : '';
  const text =
    'description' in tool && typeof tool.description === 'string' ? tool.description : '';
  const named = toWords(name);
  const [first = ''] = toWords(text);
  return [...named, ...named.map(toSingular), ...toStems(first)];
}

function takeOut(words: readonly string[]): () => void {
  const taken = words.flatMap((word) =>
    [...TABLES]
      .filter((table) => table.has(word))
      .map((table) => ({
        table,
        word,
        meaning: table instanceof Map ? table.get(word) : undefined,
      })),
  );
  for (const { table, word } of taken) table.delete(word);
  return () => {
    for (const { table, word, meaning } of taken)
      if (table instanceof Map) table.set(word, meaning);
      else table.add(word);
  };
}
