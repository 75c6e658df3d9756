/** The parameters of a tool, read once for all rules. */
import type { Parameter, Parameters } from '../../effect/reading/read-parameters.ts';
import { readParameters } from '../../effect/reading/read-parameters.ts';
import type { ToolSubject } from '../subject.ts';
import { memberOf } from './member-of.ts';

const PARAMETERS = new WeakMap<ToolSubject, Parameters>();

export function parametersOf(tool: ToolSubject): readonly Parameter[] {
  let parameters = PARAMETERS.get(tool);
  if (parameters === undefined) {
    parameters = readParameters(memberOf(tool.raw, 'inputSchema'));
    PARAMETERS.set(tool, parameters);
  }
  return parameters.all;
}
