/** Requests of servers to the client, under ids that no two servers share. */
import type { JsonValue } from '../../../lib/json-value.ts';
import type { Listener } from '../../protocol/channel.ts';
import { editFrame, readdress } from '../../protocol/edit-frame.ts';
import type { Frame, RpcId } from '../../protocol/frame.ts';
import { isId, toNotification } from '../../protocol/frame.ts';
import { OwnIds } from '../../protocol/own-ids.ts';
import type { Peer } from './peer.ts';

interface Asked {
  readonly peer: Peer;
  /** The id that the server gave. */
  readonly id: RpcId;
}

export class ServerRequests {
  readonly #client: Pick<Listener, 'frame'>;
  readonly #ids = new OwnIds();
  readonly #open = new Map<RpcId, Asked>();

  constructor(client: Pick<Listener, 'frame'>) {
    this.#client = client;
  }

  ask(peer: Peer, frame: Frame, id: RpcId): void {
    const own = this.#ids.next();
    this.#open.set(own, { peer, id });
    this.#client.frame(readdress(frame, own, peer.toClientId(frame.about)));
  }

  answer(frame: Frame): void {
    const { id } = frame.message;
    const asked = isId(id) ? this.#open.get(id) : undefined;
    if (asked === undefined || !isId(id)) return;
    this.#open.delete(id);
    asked.peer.send(editFrame(frame, [{ kind: 'set', path: ['id'], value: asked.id }]));
  }

  /** The server no longer wants an answer. */
  withdraw(peer: Peer, id: JsonValue | undefined, frame: Frame): void {
    for (const [own, asked] of this.#open) {
      if (asked.peer !== peer || asked.id !== id) continue;
      this.#open.delete(own);
      const edit = { kind: 'set', path: ['params', 'requestId'], value: own } as const;
      this.#client.frame(editFrame(frame, [edit]));
    }
  }

  /** Nobody is left who wants the answers. */
  forget(peer: Peer): void {
    for (const [own, asked] of this.#open) {
      if (asked.peer !== peer) continue;
      this.#open.delete(own);
      const params = { requestId: own, reason: `the server “${peer.name}” has ended` };
      this.#client.frame(toNotification('notifications/cancelled', params));
    }
  }
}
