/** Finds tools that can do anything: any method, any endpoint, any action by name. */
import { memberOf, parameterPointer, parametersOf } from '../../tool-schema.ts';
import { wordSet } from '../../tool-texts.ts';
import type { Draft, Rule } from '../../rule.ts';
import type { ToolSubject } from '../../subject.ts';
import { toWords } from '../../../effect/infer/to-words.ts';

const METHOD = /^(?:http_?|request_)?(?:method|verb)$/;
const SAFE = wordSet('GET HEAD OPTIONS');
const UNSAFE = wordSet('POST PUT PATCH DELETE');
const PLACE = /^(?:url|uri|endpoint|path|route|api_path|resource_path|request_path)$/;
const ACTION =
  /^(?:action|operation|op|method|method_name|tool_name|tool|function_name|api|api_name|endpoint|operation_id|action_name)$/;
const ARGUMENTS = /^(?:params?|parameters|args|arguments|input|inputs|payload|body|data|kwargs)$/;
const REQUESTS = wordSet('request call invoke execute exec run perform api dispatch');
const LOOKS = wordSet('get list search find describe show read fetch help schema docs');

export const rule: Rule = {
  id: 'catch-all',
  category: 'truth',
  severity: 'warning',
  summary: 'One tool takes any method, endpoint or action, the safe and the unsafe alike.',
  cost: 'No hint can be true for it, approving it approves everything, and directories reject it.',
  profiles: { 'anthropic-directory': 'error', strict: 'error' },
  codes: {
    'catch-all/methods': 'one tool takes safe and unsafe HTTP methods',
    'catch-all/any-request': 'it sends any request it is given',
    'catch-all/any-action': 'it performs any named action, with free arguments',
  },
  checkTool(tool) {
    const draft = findMethods(tool) ?? findAnyAction(tool);
    return draft === undefined ? [] : [draft];
  },
};

function findMethods(tool: ToolSubject): Draft | undefined {
  const all = parametersOf(tool).filter(({ top }) => top);
  const method = all.find(({ key }) => METHOD.test(key));
  if (method === undefined) return undefined;
  const pointer = parameterPointer(tool, method);
  const values = method.values.map((value) => value.toUpperCase());
  if (values.some((value) => SAFE.has(value)) && values.some((value) => UNSAFE.has(value))) {
    const message = `It takes the methods ${values.filter((value) => SAFE.has(value) || UNSAFE.has(value)).join(', ')}.`;
    return { code: 'catch-all/methods', pointer, message };
  }
  if (values.length > 0 || !all.some(({ key }) => PLACE.test(key))) return undefined;
  const message = 'It takes any method and any target.';
  return { code: 'catch-all/any-request', pointer, message };
}

/** An action name and a bag of arguments, neither of them described. */
function findAnyAction(tool: ToolSubject): Draft | undefined {
  const words = toWords(tool.name);
  if (!words.some((word) => REQUESTS.has(word)) || words.some((word) => LOOKS.has(word)))
    return undefined;
  const all = parametersOf(tool).filter(({ top }) => top);
  const action = all.find(({ key, values }) => ACTION.test(key) && values.length === 0);
  const bag = all.find(({ key, name }) => ARGUMENTS.test(key) && isOpenBag(tool, name));
  if (action === undefined || bag === undefined) return undefined;
  const pointer = parameterPointer(tool, action);
  const message = 'It takes the name of any action and any arguments for it.';
  return { code: 'catch-all/any-action', pointer, message };
}

function isOpenBag({ raw }: ToolSubject, name: string): boolean {
  const schema = memberOf(raw, 'inputSchema', 'properties', name);
  const properties = memberOf(schema, 'properties');
  const named = typeof properties === 'object' && properties !== null;
  return !named || Object.keys(properties).length === 0;
}
