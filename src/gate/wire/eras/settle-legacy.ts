/**
 * Finds the era of a server for a client of 2025: hands on the client's own `initialize`, and asks the
 * server to tell about itself if it refuses that.
 */
import type { Failure, Listener } from '../channel.ts';
import type { Frame, RpcId } from '../frame.ts';
import { isObject } from '../read-frame.ts';
import type { Settled, Settling } from './settled.ts';
import { readDiscovered, readError, toProbe } from './settled.ts';
import type { SettleOptions } from './settle-modern.ts';
import type { Ends } from './translator.ts';

export class SettleLegacy implements Settling {
  readonly #server: Ends['server'];
  readonly #client: Pick<Listener, 'frame'>;
  readonly #initialize: Frame;
  readonly #options: SettleOptions;
  readonly #probeId: RpcId;
  #timer: NodeJS.Timeout | undefined;
  #refusal: Settled | undefined;

  constructor({ server, client, ids }: Ends, initialize: Frame, options: SettleOptions) {
    this.#server = server;
    this.#client = client;
    this.#initialize = initialize;
    this.#options = options;
    this.#probeId = ids.next();
  }

  start(): void {
    this.#server.send(this.#initialize);
  }

  fromServer(frame: Frame): void {
    const { id, method, result } = frame.message;
    if (method !== undefined) this.#client.frame(frame);
    else if (id === this.#initialize.message.id && this.#refusal === undefined) {
      if (isObject(result)) {
        this.#client.frame(frame);
        this.#end({ kind: 'same' });
      } else this.#ask({ kind: 'refused', error: readError(frame) });
    } else if (id === this.#probeId) this.#probed(frame);
  }

  failed(id: RpcId, failure: Failure): void {
    if (id === this.#initialize.message.id) this.#ask({ kind: 'unreachable', failure });
    else if (id === this.#probeId && this.#refusal) this.#end(this.#refusal);
  }

  close(): void {
    clearTimeout(this.#timer);
  }

  #ask(refusal: Settled): void {
    this.#refusal = refusal;
    this.#timer = setTimeout(() => this.#end(refusal), this.#options.timeoutMs);
    const probe = toProbe(this.#probeId, this.#options.clientInfo);
    const { caller } = this.#initialize;
    this.#server.send(caller === undefined ? probe : { ...probe, caller });
  }

  #probed(frame: Frame): void {
    const discovered = readDiscovered(frame);
    if (discovered !== undefined) this.#end({ kind: 'legacy-to-modern', discovered });
    else if (this.#refusal) this.#end(this.#refusal);
  }

  #end(settled: Settled): void {
    this.close();
    this.#options.done(settled);
  }
}
