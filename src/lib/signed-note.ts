/**
 * Signed notes by C2SP signed-note: a text, a blank line, and one line for each signature. Signing
 * throws for texts that a note cannot contain; reading and verifying never throw. `checkpoint.ts` reads
 * the text.
 */
import { sign, verify } from 'node:crypto';
import type { NoteSigner, NoteVerifier } from './note-key.ts';
import { isNoteKeyName } from './note-key.ts';

interface NoteSignature {
  readonly name: string;
  readonly keyId: string;
  readonly bytes: Uint8Array;
}

interface Note {
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

type NoteRefusalCode =
  | 'malformed-note'
  /** None of the known keys has signed. */
  | 'unknown-keys'
  /** A known key is said to have signed, and has not. */
  | 'bad-signature'
  /** Two of the verifiers have the same name and id. */
  | 'ambiguous-key';

interface NoteRefusal {
  readonly kind: 'refused';
  readonly code: NoteRefusalCode;
  readonly detail: string;
}

/** Reads what a note claims, without verifying any of it. */
type NoteReading = ({ readonly kind: 'claimed' } & Note) | NoteRefusal;

type NoteVerdict =
  | {
      readonly kind: 'verified';
      readonly text: string;
      /** The known keys that have signed; signatures of others are ignored. */
      readonly signers: readonly NoteVerifier[];
    }
  | NoteRefusal;

const MOST_SIGNATURES = 100;
const MOST_UNITS = 1_000_000;
const KEY_ID_LENGTH = 4;
const SIGNATURE_LINE = /^— ([^ ]+) ([A-Za-z\d+/]+={0,2})$/;

export function signNote(text: string, ...signers: readonly [NoteSigner, ...NoteSigner[]]): string {
  if (!isNoteText(text)) {
    throw new TypeError('the text of a note ends in a newline and has no other control characters');
  }
  const lines = signers.map(({ name, keyId, privateKey }) => {
    const signature = sign(null, Buffer.from(text), privateKey);
    const encoded = Buffer.concat([Buffer.from(keyId, 'hex'), signature]).toString('base64');
    return `— ${name} ${encoded}\n`;
  });
  return `${text}\n${lines.join('')}`;
}

export function readNote(note: string): NoteReading {
  if (note.length > MOST_UNITS) return refuse('malformed-note', 'The note is too long.');
  const split = note.lastIndexOf('\n\n');
  if (split === -1 || !isNoteText(note)) {
    return refuse('malformed-note', 'A note is a text, a blank line and lines with signatures.');
  }
  const lines = note.slice(split + 2, -1).split('\n');
  if (lines.length > MOST_SIGNATURES)
    return refuse('malformed-note', 'There are too many signatures.');
  const signatures = lines.map(readSignature).filter((signature) => signature !== undefined);
  if (signatures.length < lines.length) {
    return refuse('malformed-note', 'A line after the blank line is not a signature.');
  }
  const text = note.slice(0, split + 1);
  return Object.freeze({ kind: 'claimed', text, signatures: Object.freeze(signatures) });
}

/** One invalid signature of a known key invalidates the note, whoever else has signed. */
export function verifyNote(note: string, verifiers: readonly NoteVerifier[]): NoteVerdict {
  const read = readNote(note);
  if (read.kind === 'refused') return read;
  const signers = new Set<NoteVerifier>();
  for (const { name, keyId, bytes } of read.signatures) {
    const known = verifiers.filter((key) => key.name === name && key.keyId === keyId);
    const [verifier] = known;
    if (verifier === undefined) continue;
    if (known.length > 1) return refuse('ambiguous-key', `More than one key is ${name}+${keyId}.`);
    if (!verify(null, Buffer.from(read.text), verifier.publicKey, bytes)) {
      return refuse('bad-signature', `${name}+${keyId} did not sign this.`);
    }
    signers.add(verifier);
  }
  if (signers.size === 0) return refuse('unknown-keys', 'No known key has signed this.');
  return Object.freeze({
    kind: 'verified',
    text: read.text,
    signers: Object.freeze([...signers]),
  });
}

function readSignature(line: string): NoteSignature | undefined {
  const [, name = '', encoded = ''] = SIGNATURE_LINE.exec(line) ?? [];
  const decoded = Buffer.from(encoded, 'base64');
  if (!isNoteKeyName(name) || decoded.length <= KEY_ID_LENGTH) return undefined;
  // One signature has one spelling, or two notes that differ would be the same.
  if (decoded.toString('base64') !== encoded) return undefined;
  const keyId = decoded.toString('hex', 0, KEY_ID_LENGTH);
  return Object.freeze({ name, keyId, bytes: decoded.subarray(KEY_ID_LENGTH) });
}

function isNoteText(text: string): boolean {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  return text.endsWith('\n') && text.isWellFormed() && !/[\u0000-\u0009\u000b-\u001f]/.test(text);
}

function refuse(code: NoteRefusalCode, detail: string): NoteRefusal {
  return Object.freeze({ kind: 'refused', code, detail });
}
