/**
 * The tools of one server at the gate: answers lists from what is kept, learns from those that pass,
 * fetches them when a call comes first, and hears of changes.
 */
import type { JsonValue } from '../../lib/json-value.ts';
import type { GatedServer } from '../gate-services.ts';
import { ListKeeper } from './list-keeper.ts';
import type { Delivery } from '../protocol/channel.ts';
import type { Policy } from '../policy/policy.ts';
import type { ServerSight } from './server-sight.ts';
import { showHints } from './show-hints.ts';
import type { KnownTool } from './tool-book.ts';
import { ToolBook } from './tool-book.ts';
import type { Frame, JsonObject, RpcId } from '../protocol/frame.ts';
import { eraOf, META } from '../protocol/envelope.ts';
import { isObject } from '../protocol/read-frame.ts';
import type { Requests } from '../protocol/requests.ts';

const LIST_CHANGED = 'notifications/tools/list_changed';
const ACKNOWLEDGED = 'notifications/subscriptions/acknowledged';

/** A server that pages for ever must not keep us for ever. */
const MOST_PAGES = 1000;

/** A server that loses the request must not hold up every call for ever. */
const LOAD_MS = 30_000;
const TOO_SLOW: Delivery = Object.freeze({
  kind: 'failure',
  failure: Object.freeze({ kind: 'not-sent', detail: 'The server did not list its tools in time' }),
});

export class ServerTools {
  readonly #requests: Requests;
  readonly #book: ToolBook;
  readonly #lists: ListKeeper;
  readonly #sight: ServerSight;
  readonly #changed: () => void;
  /** Grows when what was learnt no longer holds: answers to earlier requests are not learnt from. */
  #epoch = 0;
  #loading: PromiseWithResolvers<Delivery | undefined> | undefined;
  /** Whether it is worth asking to be told of changes: until the server has said no. */
  #canWatch = true;

  constructor(
    requests: Requests,
    { judge, sight }: Pick<GatedServer, 'judge' | 'sight'>,
    now: () => number,
    changed: () => void = () => {},
  ) {
    this.#requests = requests;
    this.#book = new ToolBook(judge);
    this.#lists = new ListKeeper(now);
    this.#sight = sight;
    this.#changed = changed;
  }

  get definitions(): readonly JsonObject[] {
    return this.#book.definitions;
  }

  /** `undefined` while the list must be loaded first, or when there is no such tool. */
  find(name: string): KnownTool | undefined {
    return this.#book.isStale ? undefined : this.#book.find(name);
  }

  needsList(name: string): boolean {
    return this.#book.isStale || (this.#book.find(name) === undefined && !this.#book.isComplete);
  }

  /** A kept answer to a list request, with the hints that the client is to see. */
  answer(request: Frame, id: RpcId, hints: Policy['hints']): Frame | undefined {
    const kept = this.#lists.answer(request, id);
    return kept && this.#show(kept, hints);
  }

  /** To be taken when a list is asked for and given to `learn` with its answer. */
  get epoch(): number {
    return this.#epoch;
  }

  /** Gives what the client is told: the same list with the hints that it is to see. */
  learn(request: Frame, delivery: Delivery, epoch: number, hints: Policy['hints']): Delivery {
    if (delivery.kind === 'failure') return delivery;
    const { frame } = delivery;
    const { result } = frame.message;
    if (!isObject(result)) return delivery;
    const isCurrent = epoch === this.#epoch;
    if (isCurrent && (this.#lists.keep(request, frame) === 'new' || this.#book.isStale)) {
      this.#note(result, request.message.params?.['cursor']);
      void this.#watch(request);
    }
    return { kind: 'answer', frame: this.#show(frame, hints) };
  }

  #show(list: Frame, hints: Policy['hints']): Frame {
    return showHints(list, hints, (name) => this.find(name));
  }

  /** Fetches the whole list; gives the failure if there was one. Many calls share one attempt. */
  load(like: Frame): Promise<Delivery | undefined> {
    if (this.#loading !== undefined) return this.#loading.promise;
    const loading = Promise.withResolvers<Delivery | undefined>();
    this.#loading = loading;
    const timer = setTimeout(() => loading.resolve(TOO_SLOW), LOAD_MS);
    this.#fetch(like).then(loading.resolve, loading.reject);
    return loading.promise.finally(() => {
      clearTimeout(timer);
      if (this.#loading === loading) this.#loading = undefined;
    });
  }

  /** The server may list other tools by now. */
  forget(): void {
    this.#epoch += 1;
    this.#lists.forget();
    this.#book.forget();
    this.#changed();
  }

  /** The server is another process or session now; what it promised before no longer counts. */
  reset(): void {
    this.#lists.isWatched = false;
    this.#canWatch = true;
    this.forget();
  }

  /** What a server says of itself when a client connects. */
  seeHandshake(request: Frame, { message: { result } }: Frame): void {
    const capabilities = isObject(result) ? result['capabilities'] : undefined;
    const tools = isObject(capabilities) ? capabilities['tools'] : undefined;
    const tells = isObject(tools) && tools['listChanged'] === true;
    // Before 2026 whoever has connected is told; since then, whoever subscribes.
    if (eraOf(request.message) === 'modern') this.#canWatch &&= tells;
    else this.#lists.isWatched = tells;
  }

  /** Whether the notification was for us alone. */
  hear({ message: { method, params } }: Frame): boolean {
    const meta = params?.['_meta'];
    const isOurs = isObject(meta) && this.#requests.isOwn(meta[META.subscription]);
    if (method === LIST_CHANGED) this.forget();
    if (isOurs && method === ACKNOWLEDGED) {
      const accepted = params?.['notifications'];
      this.#lists.isWatched = isObject(accepted) && accepted['toolsListChanged'] === true;
    }
    return isOurs;
  }

  #note(page: JsonObject, cursor: JsonValue | undefined): void {
    this.#book.learn(page, cursor);
    if (!this.#book.isComplete) return;
    this.#sight.sawTools(this.#book.definitions);
    // The client may have listed the tools itself while a call of the gate waited for them.
    this.#loading?.resolve(undefined);
  }

  async #watch(like: Frame): Promise<void> {
    if (!this.#canWatch || eraOf(like.message) === 'legacy') return;
    this.#canWatch = false;
    const params = { notifications: { toolsListChanged: true } };
    const ended = await this.#requests.request(like, 'subscriptions/listen', params);
    const wasWatched = this.#lists.isWatched;
    // Whether the list still holds, nobody tells any more.
    if (wasWatched) this.reset();
    this.#canWatch = wasWatched && ended.kind === 'answer';
  }

  async #fetch(like: Frame): Promise<Delivery | undefined> {
    let params: JsonObject = {};
    let epoch = this.#epoch;
    for (let pages = 0; pages < MOST_PAGES; pages += 1) {
      const delivery = await this.#requests.request(like, 'tools/list', params);
      if (delivery.kind === 'failure') return delivery;
      const { result } = delivery.frame.message;
      if (!isObject(result)) return delivery;
      if (epoch !== this.#epoch) {
        // The list changed while it was read: from the start again.
        epoch = this.#epoch;
        params = {};
        continue;
      }
      this.#note(result, params['cursor']);
      const cursor = result['nextCursor'];
      if (cursor === undefined || cursor === null) return undefined;
      params = { cursor };
    }
    return undefined;
  }
}
