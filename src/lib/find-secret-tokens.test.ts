import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { redactSecrets } from './find-secret-tokens.ts';
import { mintSecretToken } from './secret-token.ts';

const MEGABYTE = 1_000_000;
/** Quadratic code would take this many times longer than linear code. */
const PARTS = 16;
/** CPU time by which one measurement may be off. */
const NOISE_MS = 20;

function mint(prefix = 'plm'): string {
  return mintSecretToken(prefix).secret.reveal();
}

function units(text: string, write: (hex: string) => string): string {
  return Array.from(text, (unit) => write(unit.charCodeAt(0).toString(16).padStart(2, '0'))).join(
    '',
  );
}

const percent = (text: string): string => units(text, (hex) => `%${hex}`);
const escapeJson = (text: string): string => units(text, (hex) => `\\u00${hex}`);

const RENDERINGS: readonly (readonly [string, (token: string) => string])[] = [
  ['plain', (token) => token],
  ['hex', (token) => Buffer.from(token).toString('hex')],
  ['hex in capitals', (token) => Buffer.from(token).toString('hex').toUpperCase()],
  ['base64', (token) => Buffer.from(token).toString('base64')],
  ['base64url', (token) => Buffer.from(token).toString('base64url')],
  ['percent-encoding', percent],
  ['percent-encoding in capitals', (token) => units(token, (hex) => `%${hex.toUpperCase()}`)],
  ['percent-encoding, twice', (token) => percent(token).replaceAll('%', '%25')],
  ['percent-encoding of the mark', (token) => token.replace('_', '%5F')],
  ['JSON escapes', escapeJson],
  ['JSON escapes of the mark', (token) => token.replace('_', String.raw`\u005f`)],
  ['JSON escapes, twice', (token) => JSON.stringify(escapeJson(token)).slice(1, -1)],
  ['JavaScript escapes', (token) => units(token, (hex) => `\\x${hex}`)],
  ['base64 in percent-encoding', (token) => percent(Buffer.from(token).toString('base64'))],
  ['hex in JSON escapes', (token) => escapeJson(Buffer.from(token).toString('hex'))],
];

const prefix = fc.stringMatching(/^[a-z][a-z\d]{1,15}$/);

describe.each(RENDERINGS)('redactSecrets: %s', (_, render) => {
  it('is replaced, and the text around it stays', () => {
    fc.assert(
      fc.property(prefix, (name) => {
        const rendered = render(mint(name));
        expect(redactSecrets(`Token: "${rendered}", really.`)).toBe('Token: "[secret]", really.');
      }),
      { numRuns: 200 },
    );
  });

  it('is replaced anywhere in any text', () => {
    const around = fc.string({ unit: fc.constantFrom(...Array.from('aZ09_-=/+%\\"{}: \n[é😀')) });
    fc.assert(
      fc.property(prefix, around, around, (name, before, after) => {
        const rendered = render(mint(name));
        const redacted = redactSecrets(`${before} ${rendered}\n${after}`);
        expect(redacted).toContain('[secret]');
        expect(redacted).not.toContain(rendered);
      }),
      { numRuns: 200 },
    );
  });

  it('is replaced each time', () => {
    const texts = Array.from({ length: 50 }, (__, index) => `${index}: ${render(mint())}`);
    const redacted = redactSecrets(texts.join(' | '));
    expect(redacted).toBe(texts.map((_text, index) => `${index}: [secret]`).join(' | '));
  });
});

describe('redactSecrets', () => {
  it('finds a token with letters right before and after it', () => {
    const token = mint();
    expect(redactSecrets(`abc${token}xyz_${token}`)).toBe('abc[secret]xyz_[secret]');
    expect(redactSecrets(`https://x.example/?t=${token}&u=1#${token}`)).toBe(
      'https://x.example/?t=[secret]&u=1#[secret]',
    );
  });

  it('finds a token inside something longer that was encoded, wherever it falls', () => {
    for (const encoding of ['base64', 'base64url', 'hex'] as const) {
      for (let length = 0; length < 9; length++) {
        const token = mint();
        const message = `{"user":"${'u'.repeat(length)}","token":"${token}","more":"text"}`;
        const encoded = Buffer.from(message).toString(encoding);
        const redacted = redactSecrets(`Authorization: /${encoded} end`);
        const [head = '', tail = ''] = redacted.split('[secret]');
        expect(redacted).toMatch(/^Authorization: \/\S+\[secret\]\S+ end$/);
        // What is left decodes to nothing of the token, from the left or the right.
        expect(Buffer.from(head.slice(16), encoding).toString()).not.toContain('plm');
        expect(Buffer.from(tail, encoding).toString('latin1')).not.toContain(token.slice(-6));
      }
    }
  });

  it('leaves everything else as it is', () => {
    const { id, secret } = mintSecretToken('plm');
    const other = secret.reveal().replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    for (const text of ['', id, other, `ghp_${'a'.repeat(36)}`, '100 % \\u00', '%zz_%41']) {
      expect(redactSecrets(text)).toBe(text);
    }
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(redactSecrets(text)).toBe(text);
      }),
    );
  });

  it.each([
    ['letters', 'a'],
    ['marks', '_'],
    ['near tokens', `${'a'.repeat(16)}_${'A'.repeat(36)}`],
    ['runs just too short for hex', `${'a'.repeat(77)} `],
    ['runs just too short for base64', `${'z'.repeat(51)} `],
    ['runs just long enough', `${'z'.repeat(52)} `],
    ['backslashes', '\\'],
    ['percent signs', '%'],
    ['half escapes', '%2525'],
    ['escapes', '%5f'],
    ['prose', 'The quick brown fox jumps over the lazy dog. '],
    ['JSON', '{"id":1,"name":"a_b","note":"x\\ny"},'],
    ['base64', Buffer.alloc(300, 'some_text ').toString('base64')],
  ])('takes linear time on up to a megabyte of %s', (_, part) => {
    const spend = (length: number): number => {
      const token = mint();
      const text = part.repeat(length / part.length);
      const began = process.threadCpuUsage();
      const redacted = redactSecrets(`${text} ${token}`);
      const { user } = process.threadCpuUsage(began);
      expect(redacted).toBe(`${text} [secret]`);
      return user / 1000;
    };
    spend(MEGABYTE / PARTS);
    expect(spend(MEGABYTE)).toBeLessThan(PARTS * (spend(MEGABYTE / PARTS) + NOISE_MS) * 2);
  });

  it('does not run out of stack on one run of many megabytes', () => {
    const text = 'a'.repeat(20 * MEGABYTE);
    expect(redactSecrets(text)).toBe(text);
  });
});
