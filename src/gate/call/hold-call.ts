/** Holds a call open while a person may still answer, and lets its client know that it is waiting. */
import type { Approval } from '../approvals/approval.ts';
import type { CallPort, GateCall } from './gate-call.ts';
import type { GateContext } from '../gate-services.ts';
import { toFrame } from '../protocol/frame.ts';
import { isObject } from '../protocol/read-frame.ts';

const LOOK_EVERY_MS = 250;
const TELL_EVERY_MS = 5000;

export async function holdCall(
  asked: Approval,
  seconds: number,
  call: GateCall,
  port: CallPort,
  { services }: GateContext,
): Promise<Approval> {
  const { approvals, sleep, now } = services;
  const until = now() + seconds * 1000;
  let told = now();
  let progress = 0;
  let approval = (await approvals.find(asked.id)) ?? asked;
  while (approval.state === 'PENDING' && now() < until && !port.signal.aborted) {
    await sleep(LOOK_EVERY_MS, port.signal).catch(() => {});
    if (now() - told >= TELL_EVERY_MS) {
      told = now();
      progress += 1;
      tell(call, port, progress);
    }
    approval = (await approvals.find(asked.id)) ?? approval;
  }
  return approval;
}

/** Keeps clients from giving up that count from the last sign of life. */
function tell({ frame }: GateCall, port: CallPort, progress: number): void {
  const meta = frame.message.params?.['_meta'];
  const progressToken = isObject(meta) ? meta['progressToken'] : undefined;
  if (progressToken === undefined) return;
  const params = { progressToken, progress, message: 'Waiting for a person to answer.' };
  port.notify(toFrame({ jsonrpc: '2.0', method: 'notifications/progress', params }));
}
