/** One message under way to a server. */
import type { Frame, RpcId } from '../../frame.ts';
import { isId, isRequest } from '../../frame.ts';
import type { Abort } from './exchange.ts';

export interface Call {
  readonly frame: Frame;
  /** Of a request; nobody waits for an answer to anything else. */
  readonly id: RpcId | undefined;
  readonly isModern: boolean;
  /** The session it was sent in. */
  session: string | undefined;
  abort: Abort;
  /** Or cancelled: nothing more is told about it. */
  isAnswered: boolean;
  isRepeated: boolean;
  resumptions: number;
}

export function createCall(frame: Frame, isModern: boolean): Call {
  const { id } = frame.message;
  return {
    frame,
    id: isRequest(frame) && isId(id) ? id : undefined,
    isModern,
    session: undefined,
    abort: () => {},
    isAnswered: false,
    isRepeated: false,
    resumptions: 0,
  };
}
