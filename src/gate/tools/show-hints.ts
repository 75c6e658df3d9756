/**
 * The hints that a client sees on a list: those of the server as they are, raised where the gate takes a tool for
 * graver than it claims, or those of its pin. All other text of the list stays as it is.
 */
import { plimsoll } from '../../effect/conventions/plimsoll.ts';
import type { Effect } from '../../effect/effect.ts';
import { possibleEffects } from '../../effect/effect.ts';
import type { HintName, Hints } from '../../effect/hints.ts';
import { HINT_DEFAULTS, HINT_NAMES } from '../../effect/hints.ts';
import { inferEffect } from '../../effect/infer/infer-effect.ts';
import { stamp } from '../../effect/stamp.ts';
import { TIERS } from '../../effect/tier.ts';
import type { Policy } from '../policy/policy.ts';
import type { Frame, JsonObject, RpcMessage } from '../protocol/frame.ts';
import { toText } from '../protocol/edit-frame.ts';
import type { Edit } from '../protocol/json-text.ts';
import { editText, elementsIn, locate } from '../protocol/json-text.ts';
import { isObject } from '../protocol/read-frame.ts';
import type { KnownTool } from './tool-book.ts';
import { own, toRecord } from './tool-definition.ts';

type Find = (name: string) => KnownTool | undefined;

/** `answer` answers a request for the list; `find` gives what is known of the server's tools. */
export function showHints(answer: Frame, choice: Policy['hints'], find: Find): Frame {
  const { result } = answer.message;
  const tools = isObject(result) ? result['tools'] : undefined;
  if (choice === 'pass' || !Array.isArray(tools)) return answer;
  const text = toText(answer);
  const place = locate(text, ['result', 'tools']);
  if (place === undefined) return answer;
  const list = text.slice(place.start, place.end);
  let written = '';
  let at = 0;
  for (const [index, { start, end }] of elementsIn(list).entries()) {
    const edits = toEdits((tools as readonly unknown[])[index], choice, find);
    written += list.slice(at, start) + editText(list.slice(start, end), edits);
    at = end;
  }
  const shown = `${text.slice(0, place.start)}${written}${list.slice(at)}${text.slice(place.end)}`;
  if (shown === text) return answer;
  const message = JSON.parse(shown) as RpcMessage; // the same message with other hints
  return { ...answer, bytes: Buffer.from(shown), message };
}

function toEdits(definition: unknown, choice: 'raise' | 'pinned', find: Find): readonly Edit[] {
  if (!isObject(definition)) return [];
  const { name } = definition;
  const known = typeof name === 'string' ? find(name) : undefined;
  const hints = toShown(definition, choice, known);
  return HINT_NAMES.flatMap((hint): readonly Edit[] => {
    const value = hints[hint];
    return value === undefined ? [] : [{ kind: 'set', path: ['annotations', hint], value }];
  });
}

/** Only those that are to be written. */
function toShown(definition: JsonObject, choice: 'raise' | 'pinned', tool?: KnownTool): Hints {
  // What was accepted of a tool that got riskier no longer says what it does.
  const known = tool?.isQuarantined === false ? tool : undefined;
  const { effect } = known?.inferred ?? inferEffect(definition);
  const pin = choice === 'pinned' ? known?.pin : undefined;
  if (pin?.stated === true) return hintsOf(effect);
  const held = toHeld(effect);
  if (pin !== undefined) return { ...pin.hints, ...held };
  const said = toRecord(definition['annotations']);
  return Object.fromEntries(
    HINT_NAMES.flatMap((name): readonly [HintName, boolean][] => {
      const claim = own(said, name);
      const graver = held[name];
      // What is unset is the gravest already; what is no boolean says nothing.
      if (claim === undefined || graver === undefined || claim === graver) return [];
      return [[name, graver]];
    }),
  );
}

/** By MCP's own wording, for everything that a call can do. */
function hintsOf(effect: Effect): Hints {
  const { title: _, ...hints } = stamp(
    { name: '', title: '', effect, scopes: [], produces: [] },
    plimsoll,
  ).annotations;
  return hints;
}

/** The warnings that the gate stands by, since it would ask. That a change replaces something is none of them. */
function toHeld(effect: Effect): Hints {
  const isGrave = possibleEffects(effect).some(
    ({ tier, overwrites, reversible }) => TIERS[tier].asks || (overwrites && !reversible),
  );
  const hints = hintsOf(effect);
  return Object.fromEntries(
    HINT_NAMES.filter((name) => hints[name] === HINT_DEFAULTS[name])
      .filter((name) => name !== 'destructiveHint' || isGrave)
      .map((name) => [name, HINT_DEFAULTS[name]]),
  );
}
