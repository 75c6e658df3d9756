/** Reports which tools are only for callers with a scope, and finds invalid scopes. */
import { META_KEYS } from '../../../effect/meta-keys.ts';
import { isScope } from '../../../effect/operation.ts';
import type { Draft, Rule } from '../../rule.ts';
import type { ServerSubject } from '../../subject.ts';
import { quote } from '../../../gate/tools/drift-change.ts';

const { key } = META_KEYS.requiredScope;
const MOST_SHOWN = 8;

export const rule: Rule = {
  id: 'scope-hidden',
  category: 'annotations',
  severity: 'info',
  summary: 'Some tools require a scope, and callers without it do not see or cannot call them.',
  cost: 'A check with a limited token sees only part of the server; so does a reviewer.',
  codes: {
    'scope-hidden': 'tools that a scope hides',
    'scope-hidden/unreadable': `${key} is not a list of scopes`,
  },
  checkServer(server) {
    return [...unreadable(server), ...hidden(server)];
  },
};

function hidden({ tools }: ServerSubject): readonly Draft[] {
  const scopes = tools.flatMap(({ stamp }) =>
    stamp.scopes.state === 'claimed' && stamp.scopes.value.length > 0 ? [stamp.scopes.value] : [],
  );
  if (scopes.length === 0) return [];
  const names = [...new Set(scopes.flat().filter(isScope))].toSorted();
  const shown = names.slice(0, MOST_SHOWN).join(', ');
  const more = names.length > MOST_SHOWN ? ` and ${names.length - MOST_SHOWN} more` : '';
  const message = `${scopes.length} of ${tools.length} tools require a scope: ${shown}${more}.`;
  return [{ code: 'scope-hidden', pointer: '/tools', message }];
}

function unreadable({ tools }: ServerSubject): readonly Draft[] {
  return tools.flatMap(({ name, pointer, stamp: { scopes } }): readonly Draft[] => {
    if (scopes.state === 'absent') return [];
    const wrong = scopes.state === 'claimed' && scopes.value.find((scope) => !isScope(scope));
    if (scopes.state === 'claimed' && typeof wrong !== 'string') return [];
    const said =
      typeof wrong === 'string' ? `${quote(wrong)} is not a scope` : `${key} is not a string`;
    const at = `${pointer}/_meta/${key}`;
    return [{ code: 'scope-hidden/unreadable', pointer: at, tool: name, message: `${said}.` }];
  });
}
