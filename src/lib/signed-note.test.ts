import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { NoteVerifier } from './note-key.ts';
import { readVerifierKey, toNoteSigner } from './note-key.ts';
import { readNote, signNote, verifyNote } from './signed-note.ts';

// Keys, text and signatures as Go's sumdb/note has them in its documentation and tests.
const SEED = Buffer.from('810a1402d5146c8d84f2443330f54080ebf98ee17d9c74f6252fc5d5c7283173', 'hex');
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');
const TEXT =
  'If you think cryptography is the answer to your problem,\n' +
  "then you don't know what your problem is.\n";
const PETER_LINE =
  '— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n';
const ENOCH_LINE =
  '— EnochRoot rwz+eBzmZa0SO3NbfRGzPCpDckykFXSdeX+MNtCOXm2/5n2tiOHp+vAF1aGrQ5ovTG01oOTGwnWLox33WWd1RvMc+QQ=\n';
const NOTE = `${TEXT}\n${PETER_LINE}`;

const peter = verifierOf('PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW');
const enoch = verifierOf('EnochRoot+af0cfe78+ATtqJ7zOtqQtYqOo0CpvDXNlMhV3HeJDpjrASKGLWdop');

function verifierOf(key: string): NoteVerifier {
  const read = readVerifierKey(key);
  if (read.kind === 'refused') throw new Error(read.detail);
  return read.verifier;
}

function codeOf(note: string, ...verifiers: readonly NoteVerifier[]): string {
  const verdict = verifyNote(note, verifiers);
  return verdict.kind === 'verified' ? 'verified' : verdict.code;
}

function newSigner(name: string): ReturnType<typeof toNoteSigner> {
  return toNoteSigner(name, generateKeyPairSync('ed25519').privateKey);
}

describe('signNote', () => {
  it('signs byte for byte as Go does', () => {
    const der = Buffer.concat([PKCS8_ED25519, SEED]);
    const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    expect(signNote(TEXT, toNoteSigner('PeterNeumann', privateKey))).toBe(NOTE);
  });

  it.each(['', 'no newline', 'bell\u0007\n', 'return\r\n', '\ud800\n'])(
    'refuses the text %j',
    (text) => {
      expect(() => signNote(text, newSigner('key'))).toThrow(TypeError);
    },
  );
});

describe('verifyNote', () => {
  it('takes what Go takes, from the keys it knows', () => {
    const both = NOTE + ENOCH_LINE;
    expect(verifyNote(NOTE, [peter])).toEqual({ kind: 'verified', text: TEXT, signers: [peter] });
    expect(verifyNote(both, [enoch])).toEqual({ kind: 'verified', text: TEXT, signers: [enoch] });
    expect(verifyNote(both, [enoch, peter])).toEqual({
      kind: 'verified',
      text: TEXT,
      signers: [peter, enoch],
    });
    expect(codeOf(both)).toBe('unknown-keys');
    expect(verifyNote(NOTE + PETER_LINE, [peter])).toMatchObject({ signers: [peter] });
  });

  it('verifies what was signed, by one key or several, over any text', () => {
    const signers = [newSigner('example.com/a'), newSigner('example.com/b')] as const;
    const line = fc.string({ unit: 'grapheme' }).map((text) => text.replaceAll(/\p{Cc}/gu, ''));
    const text = fc.array(line, { minLength: 1 }).map((lines) => `${lines.join('\n')}\n`);
    fc.assert(
      fc.property(text, (signed) => {
        const note = signNote(signed, ...signers);
        expect(verifyNote(note, signers)).toEqual({ kind: 'verified', text: signed, signers });
      }),
    );
  });

  it('takes no note with a byte changed, added or left out', () => {
    const bytes = Buffer.from(NOTE);
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(2), fc.nat(255), (at, kept, put) => {
        const parts = [bytes.subarray(0, at), Buffer.of(put), bytes.subarray(at + kept)];
        const changed = Buffer.concat(parts).toString();
        fc.pre(changed !== NOTE);
        expect(codeOf(changed, peter)).not.toBe('verified');
      }),
      { numRuns: 3000 },
    );
  });

  it('is not misled by other keys of the same name, or by the same key under another', () => {
    const signer = newSigner('example.com/log');
    const other = newSigner('example.com/log');
    const note = signNote(TEXT, signer);
    expect(codeOf(note, other)).toBe('unknown-keys');
    expect(codeOf(note, { ...other, keyId: signer.keyId })).toBe('bad-signature');
    expect(codeOf(note, toNoteSigner('example.com/other', signer.privateKey))).toBe('unknown-keys');
    expect(codeOf(note, signer, { ...other, keyId: signer.keyId })).toBe('ambiguous-key');
    expect(codeOf(note, signer, peter, peter)).toBe('verified');
  });

  it('condemns a note for one bad signature of a known key', () => {
    const bad = ENOCH_LINE.replace('rwz+eBzm', 'rwz+eBzn');
    expect(codeOf(NOTE + bad, peter)).toBe('verified');
    expect(codeOf(NOTE + bad, peter, enoch)).toBe('bad-signature');
    expect(codeOf(NOTE + PETER_LINE.replace('x08go/ZJ', 'x08go/ZK'), peter)).toBe('bad-signature');
    expect(codeOf(`${TEXT}\n— PeterNeumann x08go/ZJ\n`, peter)).toBe('bad-signature');
  });

  it.each([
    TEXT,
    `${TEXT}\n`,
    NOTE.slice(0, -1),
    `\u0001${NOTE}`,
    `\ud800${NOTE}`,
    `${TEXT}\n${PETER_LINE.replace('PeterNeumann', 'Bad Name')}`,
    `${TEXT}\n${PETER_LINE.replace('PeterNeumann', 'Bad+Name')}`,
    `${TEXT}\n${PETER_LINE.replace('— ', '-- ')}`,
    `${TEXT}\n${PETER_LINE.replace('nAM=', 'nAN=')}`,
    `${TEXT}\n${PETER_LINE.replace('nAM=', 'nAM')}`,
    `${TEXT}\n— PeterNeumann x08gow==\n`,
    `${NOTE}Unexpected line.\n`,
    `${TEXT}\n${PETER_LINE.repeat(101)}`,
    `${'a'.repeat(1_000_000)}\n\n${PETER_LINE}`,
  ])('finds malformed: case %#', (note) => {
    expect(codeOf(note, peter)).toBe('malformed-note');
  });

  it('takes texts with blank lines, split at the last one', () => {
    const signer = newSigner('key');
    const inner = signNote('inner\n', signer);
    expect(verifyNote(signNote(inner, signer), [signer])).toMatchObject({ text: inner });
  });
});

describe('readNote', () => {
  it('never throws, and claims nothing that was not there', () => {
    const piece = fc.constantFrom('\n', '\n\n', '— ', 'name ', 'AAAAAAA=', '=', PETER_LINE, TEXT);
    const note = fc
      .array(fc.oneof(piece, fc.string({ unit: 'binary' })))
      .map((all) => all.join(''));
    fc.assert(
      fc.property(note, (text) => {
        const read = readNote(text);
        const isTrue =
          read.kind === 'claimed'
            ? text.startsWith(`${read.text}\n— `)
            : read.code === 'malformed-note';
        expect(isTrue).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });
});
