/** Whether a tool is arithmetic: `add(a, b)` takes numbers and changes nothing. */
import type { ToolSubject } from '../subject.ts';
import { parametersOf } from './parameters-of.ts';

const NUMBERS = /^(?:[abxynm]|numbers?|values?|num_?\d|operands?|addends?)$/;

export function isSum(tool: ToolSubject): boolean {
  const all = parametersOf(tool);
  return all.length > 0 && all.every(({ key }) => NUMBERS.test(key));
}
