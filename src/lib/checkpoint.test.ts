import { generateKeyPairSync } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatCheckpoint, readCheckpoint } from './checkpoint.ts';
import { toNoteSigner } from './note-key.ts';
import { signNote, verifyNote } from './signed-note.ts';

// The example of C2SP tlog-checkpoint.
const TEXT =
  'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n';
const ROOT = Buffer.from('CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=', 'base64');

describe('checkpoints', () => {
  it('are written and read as in the specification', () => {
    const checkpoint = { origin: 'example.com/behind-the-sofa', size: 20_852_163, root: ROOT };
    expect(formatCheckpoint(checkpoint)).toBe(TEXT);
    const root = new Uint8Array(ROOT);
    const read = { kind: 'checkpoint', checkpoint: { ...checkpoint, root } };
    expect(readCheckpoint(TEXT)).toEqual(read);
    expect(readCheckpoint(`${TEXT}an extension\n`)).toEqual(read);
  });

  it('go through a signed note and back', () => {
    const signer = toNoteSigner('example.com/log', generateKeyPairSync('ed25519').privateKey);
    const size = fc.maxSafeNat();
    const bytes = fc.uint8Array({ minLength: 32, maxLength: 32 });
    fc.assert(
      fc.property(size, bytes, (count, root) => {
        const checkpoint = { origin: signer.name, size: count, root };
        const verdict = verifyNote(signNote(formatCheckpoint(checkpoint), signer), [signer]);
        if (verdict.kind !== 'verified') throw new Error(verdict.code);
        expect(readCheckpoint(verdict.text)).toEqual({ kind: 'checkpoint', checkpoint });
      }),
    );
  });

  it.each([
    '',
    '\n',
    TEXT.slice(0, -1),
    `\n${TEXT}`,
    `${TEXT}\n`,
    `${TEXT}\nx\n`,
    TEXT.replace('20852163', '020852163'),
    TEXT.replace('20852163', '-1'),
    TEXT.replace('20852163', '1e3'),
    TEXT.replace('20852163', '9007199254740992'),
    TEXT.replace('20852163', ''),
    TEXT.replace('q2I=', 'q2J='),
    TEXT.replace('q2I=', 'q2I'),
    TEXT.replace('CsUY', ''),
    TEXT.replace('example', '\u0000'),
  ])('refuses %j', (text) => {
    expect(readCheckpoint(text)).toMatchObject({ kind: 'refused', code: 'malformed-checkpoint' });
  });

  it('are not written with what could not be read', () => {
    const root = new Uint8Array(32);
    const wrong = [
      { origin: '', size: 1, root },
      { origin: 'a\nb', size: 1, root },
      { origin: 'a', size: -1, root },
      { origin: 'a', size: 0.5, root },
      { origin: 'a', size: 1, root: root.subarray(1) },
    ];
    for (const checkpoint of wrong) expect(() => formatCheckpoint(checkpoint)).toThrow(TypeError);
  });
});
