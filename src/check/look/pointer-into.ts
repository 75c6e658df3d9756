/** A JSON pointer that goes on from another, with the steps escaped. */
import { toPointer } from '../../gate/pins/drift.ts';

export function pointerInto(base: string, ...steps: readonly string[]): string {
  return `${base}${toPointer(...steps)}`;
}
