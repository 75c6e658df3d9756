/** The gate's own line to a relayed server: it learns the tools, asks prices, and finds out the era. */
import type { GateContext } from '../gate-services.ts';
import type { Delivery } from '../run/delivery.ts';
import { ServerTools } from '../server-tools.ts';
import type { Channel, Failure } from '../wire/channel.ts';
import { MODERN_VERSION, META } from '../wire/eras/protocol.ts';
import { openEither } from '../wire/eras/open-either.ts';
import type { Frame, JsonObject } from '../wire/frame.ts';
import { toFrame } from '../wire/frame.ts';
import { openEndpoint } from '../wire/http/open-endpoint.ts';
import { isObject } from '../wire/read-frame.ts';
import { Requests } from '../wire/requests.ts';
import type { RelayOptions } from './open-relay.ts';

export class OwnLine implements AsyncDisposable {
  readonly tools: ServerTools;
  readonly #channel: Channel;
  readonly #requests: Requests;
  readonly #options: RelayOptions;
  /** What all our requests are like. */
  readonly #like: Frame;
  #probing: Promise<boolean> | undefined;
  isModern: boolean | undefined;

  constructor(options: RelayOptions, { server, services }: GateContext) {
    const clientInfo = { name: 'plimsoll', version: options.version };
    this.#options = options;
    this.#channel = openEither(openEndpoint(options), {
      clientInfo,
      onEra: (era) => server.sight.sawEra(era),
    });
    this.#requests = new Requests(this.#channel);
    this.tools = new ServerTools(this.#requests, server, services.now);
    const _meta = {
      [META.version]: MODERN_VERSION,
      [META.capabilities]: {},
      [META.client]: clientInfo,
    };
    this.#like = toFrame({ params: { _meta } });
    this.#channel.listen({
      frame: (frame) => void (this.#requests.answer(frame) || this.tools.hear(frame)),
      failed: (id, failure) => {
        server.sight.sawFailure(failure);
        this.#requests.fail(id, failure);
      },
      closed: () => {},
    });
  }

  /** Whether the server itself speaks the 2026 revision; asked once. */
  probe(): Promise<boolean> {
    this.#probing ??= this.#probe().then((isModern) => {
      this.isModern = isModern;
      return isModern;
    });
    return this.#probing;
  }

  learn(request: Frame, answer: Frame): void {
    if (isObject(answer.message.result)) this.tools.learn(request, answer);
  }

  async load(): Promise<Failure | undefined> {
    const trouble = await this.tools.load(this.#like);
    return trouble?.kind === 'failure' ? trouble.failure : undefined;
  }

  request(method: string, params: JsonObject): Promise<Delivery> {
    return this.#requests.request(this.#like, method, params);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#channel[Symbol.asyncDispose]();
  }

  async #probe(): Promise<boolean> {
    await using bare = openEndpoint(this.#options);
    const requests = new Requests(bare);
    bare.listen({
      frame: (frame) => void requests.answer(frame),
      failed: (id, failure) => void requests.fail(id, failure),
      closed: () => {},
    });
    const discovered = await requests.request(this.#like, 'server/discover', {});
    if (discovered.kind === 'failure') {
      // Unknown for now; the next request asks again.
      this.#probing = undefined;
      return false;
    }
    const { result } = discovered.frame.message;
    return isObject(result) && Array.isArray(result['supportedVersions']);
  }
}
