/** A translator stands between a client of one era and a server of the other, message by message. */
import type { Failure, Listener } from '../channel.ts';
import type { Frame, RpcId } from '../frame.ts';
import type { OwnIds } from './own-ids.ts';

export interface Translator {
  fromClient(frame: Frame): void;
  fromServer(frame: Frame): void;
  failed(id: RpcId, failure: Failure): void;
  /** Forgets everything; nothing more comes from either end. */
  close(): void;
}

/** The two ends that a translator speaks to. */
export interface Ends {
  readonly server: { send(frame: Frame): void };
  readonly client: Pick<Listener, 'frame' | 'failed'>;
  readonly ids: OwnIds;
}
