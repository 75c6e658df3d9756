/** A policy from the text of a file, YAML or JSON. Every fault says where in the text it stands. */
import { LineCounter, parseDocument } from 'yaml';
import type { Document } from 'yaml';
import { checkPolicy } from './check-policy.ts';
import { findOffset } from './find-offset.ts';
import type { PolicyFault } from './policy-fault.ts';
import type { Policy } from './policy.ts';
import { toPath } from './to-path.ts';

export type PolicyReading =
  | { readonly kind: 'policy'; readonly policy: Policy }
  | { readonly kind: 'faults'; readonly faults: readonly PolicyFault[] };

type Located = Pick<PolicyFault, 'code' | 'path' | 'detail'> & { readonly offset: number };

export function readPolicy(text: string, file?: string): PolicyReading {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const faults = (located: readonly Located[]): PolicyReading => ({
    kind: 'faults',
    faults: located
      .toSorted((a, b) => a.offset - b.offset)
      .map(({ code, path, detail, offset }) => {
        const { line, col } = lines.linePos(offset);
        return { code, path, detail, line, column: col, ...(file !== undefined && { file }) };
      }),
  });
  // A warning is about a tag that nobody knows: what it would have meant is lost, so it is a fault too.
  const wrong = [...document.errors, ...document.warnings];
  if (wrong.length > 0) return faults(wrong.map((error) => malformed(error.message, error.pos[0])));
  const value = toValue(document);
  if (value.kind === 'refused') return faults([malformed(value.detail, 0)]);
  const checked = checkPolicy(value.value);
  if (checked.kind === 'policy') return checked;
  return faults(
    checked.faults.map(({ code, path, detail, at }) => ({
      code,
      path: toPath(path),
      detail,
      offset: findOffset(document, text, path, { at, onKey: code === 'unknown-key' }),
    })),
  );
}

function toValue(
  document: Document,
):
  | { readonly kind: 'value'; readonly value: unknown }
  | { readonly kind: 'refused'; readonly detail: string } {
  try {
    // An empty file has no wishes.
    return { kind: 'value', value: (document.toJS({ maxAliasCount: 100 }) as unknown) ?? {} };
  } catch {
    return { kind: 'refused', detail: 'an alias names nothing, or there are too many of them' };
  }
}

function malformed(detail: string, offset: number): Located {
  return { code: 'malformed-yaml', path: '', detail, offset };
}
