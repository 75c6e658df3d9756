/** Where a parameter of the arguments' own level stands; of any other, where the schema does. */
import type { Parameter } from '../../effect/reading/read-parameters.ts';
import { toPointer } from '../../gate/pins/drift.ts';
import type { ToolSubject } from '../subject.ts';
import { memberOf } from './member-of.ts';

export function parameterPointer(tool: ToolSubject, { name, top }: Parameter): string {
  const schema = `${tool.pointer}/inputSchema`;
  const direct = memberOf(tool.raw, 'inputSchema', 'properties', name) !== undefined;
  return top && direct ? `${schema}${toPointer('properties', name)}` : schema;
}
