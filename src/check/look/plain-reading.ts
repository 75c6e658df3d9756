/**
 * What name, title, description and schemas say of a tool without its claims: hints raise a reading,
 * so that a claim can be held only against a reading made without it.
 */
import type { Reading } from '../../effect/reading/read-tool.ts';
import { readTool } from '../../effect/reading/read-tool.ts';
import type { ToolSubject } from '../subject.ts';
import { memberOf } from './member-of.ts';

const READINGS = new WeakMap<ToolSubject, Reading>();

export function plainReading(tool: ToolSubject): Reading {
  let reading = READINGS.get(tool);
  if (reading === undefined) {
    reading = readTool(toUnclaimed(tool.raw));
    READINGS.set(tool, reading);
  }
  return reading;
}

function toUnclaimed(raw: unknown): unknown {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw)) return raw;
  const title = memberOf(raw, 'annotations', 'title');
  return { ...raw, annotations: { title }, _meta: {} };
}
