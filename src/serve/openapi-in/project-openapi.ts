/**
 * An existing HTTP API as operations: each endpoint of its OpenAPI document becomes a tool that
 * forwards calls, or a finding that says why not. An invalid document gives findings, never an error.
 */
import { DeclarationError, defineOperation } from '../../effect/define-operation.ts';
import type { Reach } from '../../effect/effect.ts';
import type { Operation } from '../../effect/operation.ts';
import { TIERS } from '../../effect/tier.ts';
import type { Endpoint } from './endpoints.ts';
import { readEndpoints } from './endpoints.ts';
import type { Exclusion, Refusal, RefusalCode } from './finding.ts';
import { EXCLUSIONS, Refused } from './finding.ts';
import type { Overlay, OverlayEntry } from './overlay.ts';
import { checkOverlayEntry } from './overlay.ts';
import { credentialPlaces, projectEndpoint } from './project-endpoint.ts';
import { asObject, asText, member } from './reference.ts';
import type { Upstream, UpstreamHeaders } from './request-plan.ts';
import { toBaseUrl } from './request-plan.ts';

export interface ProjectOptions {
  /** Where the API is. Never taken from the document: the credentials go there. */
  readonly baseUrl: string | URL;
  /** What the document does not say, by operationId. */
  readonly overlay?: Overlay;
  /** Sent with every request; the server's own credentials belong here. */
  readonly headers?: UpstreamHeaders;
  /** The reach of the API, unless the overlay states it. Default: `own-store`. */
  readonly reach?: Reach;
  /** What the API is called in problems. Default: the document's title. */
  readonly title?: string;
  /** Default: 30 seconds. */
  readonly timeoutMs?: number;
  /** Bytes of an answer. Default: 4 MiB. */
  readonly responseLimit?: number;
  readonly fetch?: Upstream['fetch'];
}

export interface Projection {
  readonly operations: readonly Operation[];
  /** Of kinds that get no tool. */
  readonly excluded: readonly Exclusion[];
  /** To be fixed in the document or the overlay. */
  readonly refused: readonly Refusal[];
}

export function projectOpenApi(document: unknown, options: ProjectOptions): Projection {
  const upstream = toUpstream(document, options);
  const overlay = new Map(Object.entries(asObject(options.overlay) ?? {}));
  const { endpoints, refused: unreadable } = readEndpoints(document);
  const ids = Map.groupBy(endpoints, ({ id }) => id);
  const operations: Operation[] = [];
  const excluded: Exclusion[] = [];
  const credentials = readCredentials(document, upstream);
  const refused: Refusal[] = [
    ...unreadable,
    ...credentials.refused,
    ...checkOverlay(options.overlay, ids),
  ];
  const context = { document, upstream, reach: options.reach, credentials: credentials.places };
  for (const endpoint of credentials.refused.length > 0 ? [] : endpoints) {
    const { id, label } = endpoint;
    const about = { operation: id ?? label, endpoint: label };
    const entry = id === undefined ? undefined : overlay.get(id);
    try {
      const others = id === undefined ? 1 : (ids.get(id)?.length ?? 1);
      const made = projectEndpoint(endpoint, toEntry(entry), context);
      if (made.kind === 'excluded') {
        const { code, because = EXCLUSIONS[code] } = made;
        excluded.push({ ...about, code, sentence: because });
      } else {
        checkNameTaken(endpoint, others);
        operations.push(defineOperation(made.init));
      }
    } catch (error) {
      refused.push(...toRefusals(error).map((refusal) => ({ ...about, ...refusal })));
    }
  }
  const estimates = checkEstimates(operations);
  return Object.freeze({
    operations: operations.filter(({ name }) => !estimates.has(name)),
    excluded,
    refused: [...refused, ...estimates.values()],
  });
}

function toUpstream(document: unknown, options: ProjectOptions): Upstream {
  const baseUrl = toBaseUrl(options.baseUrl);
  const named = asText(member(member(document, 'info'), 'title'))?.slice(0, 80);
  return {
    baseUrl,
    title: options.title ?? named ?? baseUrl.host,
    headers: options.headers ?? {},
    timeoutMs: options.timeoutMs ?? 30_000,
    responseLimit: options.responseLimit ?? 4 * 1024 * 1024,
    fetch: options.fetch ?? fetch,
  };
}

/** Without them, nobody could say which arguments are the server's; no endpoint gets a tool then. */
function readCredentials(
  document: unknown,
  upstream: Upstream,
): { readonly places: ReadonlySet<string>; readonly refused: readonly Refusal[] } {
  try {
    return { places: credentialPlaces(document, upstream), refused: [] };
  } catch (error) {
    const refused = toRefusals(error).map((each) => ({ operation: 'document', ...each }));
    return { places: new Set(), refused };
  }
}

function toEntry(value: unknown): OverlayEntry {
  if (value === undefined) return {};
  const faults = checkOverlayEntry(value);
  if (faults.length > 0) throw new Refused('overlay-invalid', faults.join(' '));
  return value as OverlayEntry; // every field has been checked
}

/** A misspelled operationId would silently lose its entry. */
function checkOverlay(
  overlay: unknown,
  ids: ReadonlyMap<string | undefined, unknown>,
): readonly Refusal[] {
  const entries = asObject(overlay ?? {});
  if (entries === undefined) {
    const sentence = 'The overlay must be an object from operationId to its facts.';
    return [{ operation: 'overlay', code: 'overlay-invalid', sentence }];
  }
  return Object.keys(entries)
    .filter((id) => !ids.has(id))
    .map((operation) => ({
      operation,
      code: 'overlay-unused',
      sentence: 'The overlay names it, and the document has no such operationId; fix the name.',
    }));
}

/** Neither of the two can be preferred, and facts about one could be applied to the other. */
function checkNameTaken({ id }: Endpoint, sharing: number): void {
  if (sharing <= 1) return;
  throw new Refused(
    'name-taken',
    `${sharing} endpoints have the operationId "${id}"; give each its own.`,
  );
}

function toRefusals(
  error: unknown,
): readonly { readonly code: RefusalCode; readonly sentence: string }[] {
  if (error instanceof Refused) return [{ code: error.code, sentence: error.message }];
  if (error instanceof DeclarationError) {
    return error.faults.map(({ code, message }) => ({ code, sentence: message }));
  }
  throw error;
}

/** Spends whose estimate does not exist, or would itself change something, as refusals by name. */
function checkEstimates(operations: readonly Operation[]): ReadonlyMap<string, Refusal> {
  const byName = new Map(operations.map((operation) => [operation.name, operation]));
  const refused = new Map<string, Refusal>();
  for (const { name, effect } of operations) {
    const estimate = effect.money?.estimate;
    if (estimate === undefined) continue;
    const partner = byName.get(estimate);
    if (partner !== undefined && TIERS[partner.effect.tier].readsOnly) continue;
    const what = partner === undefined ? 'got no tool' : 'is not a read';
    const sentence = `Its estimate "${estimate}" ${what}; name an operation that only reads.`;
    refused.set(name, { operation: name, code: 'estimate-missing', sentence });
  }
  return refused;
}
