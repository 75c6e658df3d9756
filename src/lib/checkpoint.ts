/**
 * Checkpoints by C2SP tlog-checkpoint: how large a log is and what its Merkle root is, as the text of a
 * signed note. `signed-note.ts` verifies the signatures before this is read.
 */

export interface Checkpoint {
  /** Identifies the log; should be the name of the key that signs. */
  readonly origin: string;
  readonly size: number;
  readonly root: Uint8Array;
}

type CheckpointReading =
  | { readonly kind: 'checkpoint'; readonly checkpoint: Checkpoint }
  | { readonly kind: 'refused'; readonly code: 'malformed-checkpoint'; readonly detail: string };

const ROOT_LENGTH = 32;
const SIZE = /^(?:0|[1-9]\d{0,15})$/;

export function formatCheckpoint({ origin, size, root }: Checkpoint): string {
  if (!isOrigin(origin)) throw new TypeError('an origin is one line of text');
  if (!Number.isSafeInteger(size) || size < 0) throw new TypeError('a size is a whole number');
  if (root.length !== ROOT_LENGTH) throw new TypeError('a root has 32 bytes');
  return `${origin}\n${size}\n${Buffer.from(root).toString('base64')}\n`;
}

/** Extension lines are ignored, as the specification requires of clients. */
export function readCheckpoint(text: string): CheckpointReading {
  const [origin = '', size = '', root = '', ...rest] = text.split('\n');
  if (rest.pop() !== '' || rest.includes(''))
    return refuse('Lines are not empty and end in newline.');
  if (!isOrigin(origin)) return refuse('The first line is not an origin.');
  if (!SIZE.test(size) || !Number.isSafeInteger(Number(size))) {
    return refuse('The second line is not a size.');
  }
  const bytes = Buffer.from(root, 'base64');
  if (bytes.length !== ROOT_LENGTH || bytes.toString('base64') !== root) {
    return refuse('The third line is not a root hash.');
  }
  const checkpoint = Object.freeze({ origin, size: Number(size), root: new Uint8Array(bytes) });
  return Object.freeze({ kind: 'checkpoint', checkpoint });
}

function isOrigin(origin: string): boolean {
  return origin !== '' && origin.isWellFormed() && !/\p{Cc}/u.test(origin);
}

function refuse(detail: string): CheckpointReading {
  return Object.freeze({ kind: 'refused', code: 'malformed-checkpoint', detail });
}
