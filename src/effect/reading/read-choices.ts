/** Reads the parameters that choose what a tool does: `action: get | delete`, `overwrite`, `dry_run`. */
import { TIERS } from '../tier.ts';
import { VERBS } from './lexicon.ts';
import { readName } from './read-name.ts';
import type { Parameter, Parameters } from './read-parameters.ts';
import type { Signal } from './signal.ts';
import { signal } from './signal.ts';
import { toWords } from './to-words.ts';

export interface Choice {
  readonly parameter: Parameter;
  readonly value: string | boolean;
  /** Nothing when the value tells nothing. */
  readonly signal: Signal | undefined;
}

const CHOOSES =
  /^(?:\w+_)?(?:actions?|operations?|op|ops|methods?|commands?|verb|mode|subcommand|state)(?:_(?:type|name|kind))?$/;
/** Further in, only what names an act: the method of a reminder is `email`. */
const CHOOSES_WITHIN = /^(?:action|operation|op)(?:_type)?$/;
/** A state that something is brought to is an act only where it ends it. */
const STATE = /(?:^|_)state$/;
const GRAVER_WHEN_TRUE =
  /^(?:force|overwrite|permanent(?:ly)?|hard|hard_delete|overwrite_existing|replace_existing|force_\w+|allow_overwrite|skip_trash|purge|prune|cascade|recursive_delete|delete_\w+|clear_existing|send_(?:email|notification|invite|invitation|update)s?|notify\w*)$/;
export const DRY_RUN: RegExp =
  /^(?:dry_?run|preview_only|validate_only|simulate|test_mode|what_if)$/;

/** `fetch` with `method: DELETE`: a request is told by its method, whatever the name. */
export function readMethods({ all }: Parameters): readonly Choice[] {
  return all
    .filter(({ key, values }) => METHOD.test(key) && values.some((value) => METHODS.has(value)))
    .flatMap((parameter) => parameter.values.map((value) => readValue(parameter, value, '')));
}
const METHOD = /^(?:http_|request_)?method$/;

/** What each offered value means, done to the things that the name speaks of; values that tell nothing included. */
export function readChoices({ all }: Parameters, name: string): readonly Choice[] {
  const things = toWords(name)
    .filter((word) => !VERBS.has(word))
    .join('_');
  return all.flatMap((parameter) => {
    const { key, values, top } = parameter;
    if ((top ? CHOOSES : CHOOSES_WITHIN).test(key))
      return values.map((value) => readValue(parameter, value, things));
    return top && GRAVER_WHEN_TRUE.test(key) && values.length === 0 ? readSwitch(parameter) : [];
  });
}

function readValue(parameter: Parameter, value: string, things: string): Choice {
  const act = METHODS.get(value.toUpperCase()) ?? value;
  const meant = readName(act) === undefined ? undefined : readName(`${act}_${things}`);
  const state = STATE.test(parameter.key);
  if (meant === undefined || (state && !isEnding(meant)))
    return { parameter, value, signal: state ? MILD : undefined };
  const text = `"${parameter.name.slice(0, 40)}" can be "${value.slice(0, 40)}", which means ${meant.act}`;
  const reason = { code: 'choice', source: 'schema', text } as const;
  return { parameter, value, signal: signal(meant.act, 0.8, reason, meant.tier) };
}

function isEnding({ act }: Signal): boolean {
  return act === 'delete' || act === 'cancel' || act === 'revoke';
}

/** A request by HTTP changes what is there unless it gets. */
const METHODS: ReadonlyMap<string, string> = new Map([
  ['GET', 'get'],
  ['HEAD', 'get'],
  ['OPTIONS', 'get'],
  ['POST', 'submit'],
  ['PUT', 'overwrite'],
]);

const MILD: Signal = signal('read', 0.3, {
  code: 'choice',
  source: 'schema',
  text: 'a mild choice',
});

function readSwitch(parameter: Parameter): readonly Choice[] {
  const sends = /^(?:send|notify)/.test(parameter.key);
  const act = sends ? 'deliver' : 'delete';
  const text = `it takes "${parameter.name.slice(0, 40)}", which goes with ${act}`;
  const reason = { code: 'parameter', source: 'schema', text } as const;
  return [
    { parameter, value: true, signal: signal(act, 0.6, reason) },
    { parameter, value: false, signal: MILD },
  ];
}

/** Choices that a person is asked about. */
export function asksOf(choices: readonly Choice[]): readonly Signal[] {
  return choices.flatMap(({ signal: one }) =>
    one !== undefined && TIERS[one.tier].asks ? [one] : [],
  );
}
