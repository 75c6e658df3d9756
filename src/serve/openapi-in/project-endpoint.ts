/** One endpoint as the declaration of an operation, or the reason why it gets no tool. */
import type { OperationInit } from '../../effect/define-operation.ts';
import type { Reach } from '../../effect/effect.ts';
import type { Partner } from '../../effect/partner.ts';
import type { Schema } from '../../effect/schema.ts';
import { TIERS } from '../../effect/tier.ts';
import { deriveEffect, readTier } from './derive-effect.ts';
import type { Endpoint } from './endpoints.ts';
import { readExtensions } from './endpoints.ts';
import { findExclusion, isUntyped, oneLine, toTitle } from './find-exclusion.ts';
import type { ExclusionCode } from './finding.ts';
import type { OverlayEntry } from './overlay.ts';
import { credentialId } from './read-parameters.ts';
import { asObject, asText, member, resolve } from './reference.ts';
import { toInput, toOutput, toSchema } from './to-input.ts';
import type { Upstream } from './request-plan.ts';
import { allowMismatch, toRun } from './to-run.ts';

type Projected =
  | { readonly kind: 'excluded'; readonly code: ExclusionCode; readonly because?: string }
  | { readonly kind: 'operation'; readonly init: OperationInit<Schema, Schema> };

interface ProjectContext {
  readonly document: unknown;
  readonly upstream: Upstream;
  readonly reach: Reach | undefined;
  /** Parts of a request that the server fills itself. */
  readonly credentials: ReadonlySet<string>;
}

/** An API that takes a key does the work once per key. */
const DEDUP: Partner = Object.freeze({ class: 'dedup' });

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
  const answer = toOutput(endpoint, document);
  const output = answer === undefined ? undefined : toSchema(answer);
  const effect = deriveEffect(endpoint, stated, overlay, { ...extensions, key, reach });
  const title = readTitle(endpoint, name, overlay);
  const { readsOnly } = TIERS[effect.tier];
  return {
    kind: 'operation',
    init: {
      name,
      title,
      description: readDescription(endpoint, upstream),
      input: toSchema(schema),
      ...(output !== undefined && { output: readsOnly ? output : allowMismatch(output) }),
      effect,
      scopes: extensions.scopes,
      produces: extensions.produces,
      ...(key !== undefined && { partner: DEDUP }),
      run: toRun({ name, plan, upstream, readsOnly, output }),
    },
  };
}

/** The first one that exists and does not just repeat the name. */
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

/** Where the API's credentials are sent. They are the server's; no argument may replace them. */
export function credentialPlaces(
  document: unknown,
  { headers }: Pick<Upstream, 'headers'>,
): ReadonlySet<string> {
  const fixed = typeof headers === 'function' ? [] : Object.keys(headers);
  const schemes = asObject(member(member(document, 'components'), 'securitySchemes')) ?? {};
  const keys = Object.values(schemes)
    .map((scheme) => resolve(scheme, document).value)
    .filter((scheme) => member(scheme, 'type') === 'apiKey')
    .map((scheme) => credentialId(String(member(scheme, 'in')), String(member(scheme, 'name'))));
  return new Set([...fixed.map((name) => credentialId('header', name)), ...keys]);
}
