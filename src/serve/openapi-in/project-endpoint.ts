/** One endpoint as the declaration of an operation, or the reason why it gets no tool. */
import type { OperationInit } from '../../effect/define-operation.ts';
import type { Downstream } from '../../effect/downstream.ts';
import type { Reach } from '../../effect/effect.ts';
import type { Schema } from '../../effect/schema.ts';
import { TIERS } from '../../effect/tier.ts';
import { deriveEffect, readTier } from './derive-effect.ts';
import type { Endpoint } from './endpoints.ts';
import { readExtensions } from './extensions.ts';
import { findExclusion, isUntyped } from './find-exclusion.ts';
import type { ExclusionCode } from './finding.ts';
import { asText } from './json.ts';
import type { OverlayEntry } from './overlay.ts';
import { toInput } from './to-input.ts';
import { toOutput } from './to-output.ts';
import { toRun } from './to-run.ts';
import { toSchema } from './to-schema.ts';
import type { Upstream } from './upstream.ts';
import { oneLine, toTitle } from './words.ts';

export type Projected =
  | { readonly kind: 'excluded'; readonly code: ExclusionCode; readonly because?: string }
  | { readonly kind: 'operation'; readonly init: OperationInit<Schema, Schema> };

export interface ProjectContext {
  readonly document: unknown;
  readonly upstream: Upstream;
  readonly reach: Reach | undefined;
  /** Places in a request that the server fills itself. */
  readonly credentials: ReadonlySet<string>;
}

/** An API that takes a key does the work once for each. */
const DEDUP: Downstream = Object.freeze({ class: 'dedup' });

export function projectEndpoint(
  endpoint: Endpoint,
  overlay: OverlayEntry,
  { document, upstream, reach, credentials }: ProjectContext,
): Projected {
  const { id: name } = endpoint;
  if (name === undefined) return { kind: 'excluded', code: 'operation-id-missing' };
  const { exclude = false } = overlay;
  if (exclude !== false) {
    const because = typeof exclude === 'string' ? { because: exclude } : {};
    return { kind: 'excluded', code: 'excluded-by-overlay', ...because };
  }
  const extensions = readExtensions(endpoint, overlay);
  const code = findExclusion(endpoint, extensions.scopes, document);
  if (code !== undefined) return { kind: 'excluded', code };
  const stated = readTier(endpoint, overlay);
  if (isUntyped(endpoint, stated.tier, document)) return { kind: 'excluded', code: 'untyped' };

  const { schema, plan, key } = toInput(endpoint, document, credentials);
  const output = toOutput(endpoint, document);
  const effect = deriveEffect(endpoint, stated, overlay, { ...extensions, key, reach });
  const title = readTitle(endpoint, name, overlay);
  return {
    kind: 'operation',
    init: {
      name,
      title,
      description: readDescription(endpoint, upstream),
      input: toSchema(schema),
      ...(output !== undefined && { output: toSchema(output) }),
      effect,
      scopes: extensions.scopes,
      produces: extensions.produces,
      ...(key !== undefined && { downstream: DEDUP }),
      run: toRun(plan, upstream, TIERS[effect.tier].looksOnly),
    },
  };
}

/** The first that is there and does not only repeat the name. */
function readTitle({ operation, label }: Endpoint, name: string, { title }: OverlayEntry): string {
  const words = [title, asText(operation['summary']), toTitle(name)].map((text) =>
    text === undefined ? undefined : oneLine(text),
  );
  return words.find((text) => text !== undefined && text !== '' && text !== name) ?? label;
}

function readDescription({ operation, label }: Endpoint, { title }: Upstream): string {
  return (
    asText(operation['description']) ?? asText(operation['summary']) ?? `${label} of ${title}.`
  );
}
