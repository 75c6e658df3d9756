/**
 * The Ed25519 keys that sign notes (C2SP signed-note), each with a name and a short id. Keys are
 * KeyObjects; where they are stored is decided elsewhere.
 */
import type { KeyObject } from 'node:crypto';
import { createPublicKey, hash } from 'node:crypto';

export interface NoteVerifier {
  readonly name: string;
  /** Eight hexadecimal digits. It distinguishes keys and proves nothing. */
  readonly keyId: string;
  readonly publicKey: KeyObject;
}

export interface NoteSigner extends NoteVerifier {
  readonly privateKey: KeyObject;
}

type NoteVerifierReading =
  | { readonly kind: 'verifier'; readonly verifier: NoteVerifier }
  | { readonly kind: 'refused'; readonly code: 'malformed-key'; readonly detail: string };

const ED25519 = 0x01;
const PUBLIC_KEY_LENGTH = 32;
const VERIFIER_KEY = /^([^+]+)\+([\da-f]{8})\+([A-Za-z\d+/]{44})$/;

/** Whether a key may have this name: not empty, no white space, no plus, no control characters. */
export function isNoteKeyName(name: string): boolean {
  return /^[^\p{White_Space}\p{Cc}+]+$/u.test(name) && name.isWellFormed();
}

export function toNoteVerifier(name: string, publicKey: KeyObject): NoteVerifier {
  if (!isNoteKeyName(name)) throw new TypeError('a key name has no spaces and no plus');
  if (publicKey.type !== 'public' || publicKey.asymmetricKeyType !== 'ed25519') {
    throw new TypeError('a note is verified with an Ed25519 public key');
  }
  return Object.freeze({ name, keyId: keyIdOf(name, publicKey), publicKey });
}

export function toNoteSigner(name: string, privateKey: KeyObject): NoteSigner {
  if (privateKey.type !== 'private') throw new TypeError('a note is signed with a private key');
  return Object.freeze({ ...toNoteVerifier(name, createPublicKey(privateKey)), privateKey });
}

/** The public key as verifiers are given it: `name+id+base64`. */
export function toVerifierKey({ name, keyId, publicKey }: NoteVerifier): string {
  const encoded = Buffer.concat([Buffer.of(ED25519), rawOf(publicKey)]);
  return `${name}+${keyId}+${encoded.toString('base64')}`;
}

export function readVerifierKey(text: string): NoteVerifierReading {
  const [, name = '', keyId, encoded = ''] = VERIFIER_KEY.exec(text) ?? [];
  if (!isNoteKeyName(name)) return refuse('A verifier key is `name+id+base64`.');
  const [type, ...raw] = Buffer.from(encoded, 'base64');
  if (type !== ED25519 || raw.length !== PUBLIC_KEY_LENGTH) {
    return refuse('Only Ed25519 keys are accepted.');
  }
  const x = Buffer.from(raw).toString('base64url');
  let verifier: NoteVerifier;
  try {
    const key = { kty: 'OKP', crv: 'Ed25519', x };
    verifier = toNoteVerifier(name, createPublicKey({ key, format: 'jwk' }));
  } catch {
    return refuse('The bytes are not an Ed25519 key.');
  }
  if (verifier.keyId !== keyId) return refuse('The id does not match this name and key.');
  return Object.freeze({ kind: 'verifier', verifier });
}

function keyIdOf(name: string, publicKey: KeyObject): string {
  const named = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(ED25519), rawOf(publicKey)]);
  return hash('sha256', named, 'hex').slice(0, 8);
}

function rawOf(publicKey: KeyObject): Buffer {
  return Buffer.from(publicKey.export({ format: 'jwk' }).x ?? '', 'base64url');
}

function refuse(detail: string): NoteVerifierReading {
  return Object.freeze({ kind: 'refused', code: 'malformed-key', detail });
}
