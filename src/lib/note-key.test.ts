import { createPrivateKey, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readVerifierKey, toNoteSigner, toNoteVerifier, toVerifierKey } from './note-key.ts';

// The key that Go's sumdb/note documents.
const PETER = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const SEED = Buffer.from('810a1402d5146c8d84f2443330f54080ebf98ee17d9c74f6252fc5d5c7283173', 'hex');
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

describe('note keys', () => {
  it('have the id and the text that Go gives them', () => {
    const der = Buffer.concat([PKCS8_ED25519, SEED]);
    const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    const signer = toNoteSigner('PeterNeumann', privateKey);
    expect(signer.keyId).toBe('c74f20a3');
    expect(toVerifierKey(signer)).toBe(PETER);
  });

  it('are read back from their text', () => {
    const { publicKey } = generateKeyPairSync('ed25519');
    const verifier = toNoteVerifier('example.com/log', publicKey);
    const read = readVerifierKey(toVerifierKey(verifier));
    if (read.kind !== 'verifier') throw new Error(read.detail);
    expect(read.verifier.name).toBe('example.com/log');
    expect(read.verifier.publicKey.equals(publicKey)).toBe(true);
  });

  it('are refused with anything missing or changed', () => {
    const cuts = Array.from({ length: PETER.length }, (_, start) =>
      Array.from({ length: PETER.length - start }, (__, length) =>
        PETER.slice(start, start + length + 1),
      ),
    ).flat();
    const changes = Array.from(PETER, (character, at) => {
      const next = String.fromCharCode(character.charCodeAt(0) + 1);
      return PETER.slice(0, at) + next + PETER.slice(at + 1);
    });
    const others = [
      '',
      'PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==',
      'PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW',
      `${PETER}\n`,
    ];
    const taken = [...cuts, ...changes, ...others].filter(
      (text) => readVerifierKey(text).kind === 'verifier',
    );
    expect(taken).toEqual([PETER]);
  });

  it('are Ed25519 keys with a proper name', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const other = generateKeyPairSync('x25519');
    expect(() => toNoteVerifier('name', other.publicKey)).toThrow(TypeError);
    expect(() => toNoteVerifier('name', privateKey)).toThrow(TypeError);
    expect(() => toNoteSigner('name', publicKey)).toThrow(TypeError);
    for (const name of ['', 'a b', 'a+b', 'a\u00a0b', 'a\u2028b', 'a\nb', '\ud800']) {
      expect(() => toNoteVerifier(name, publicKey)).toThrow(TypeError);
    }
  });
});
