/** A self-signed certificate for 127.0.0.1, made when it is needed, so that no key lies in the repository. */
import { generateKeyPairSync, sign } from 'node:crypto';

interface SelfSigned {
  readonly key: string;
  readonly cert: string;
}

const DAY_MS = 86_400_000;
const ECDSA_SHA256 = '06082a8648ce3d040302';
const COMMON_NAME = '0603550403';
const ALTERNATIVE_NAME = '0603551d11';
const BASIC_CONSTRAINTS = '0603551d13';

export function createSelfSigned(): SelfSigned {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const algorithm = der(0x30, hex(ECDSA_SHA256));
  const commonName = der(0x30, hex(COMMON_NAME), der(0x0c, Buffer.from('plimsoll test')));
  const name = der(0x30, der(0x31, commonName));
  const address = der(0x30, der(0x87, Buffer.from([127, 0, 0, 1])));
  const extensions = der(
    0x30,
    der(0x30, hex(ALTERNATIVE_NAME), der(0x04, address)),
    der(0x30, hex(BASIC_CONSTRAINTS), der(0x04, der(0x30, hex('0101ff')))),
  );
  const body = der(
    0x30,
    der(0xa0, hex('020102')),
    hex('020101'),
    algorithm,
    name,
    der(0x30, time(Date.now() - DAY_MS), time(Date.now() + DAY_MS)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', body, privateKey));
  const base64 = der(0x30, body, algorithm, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }) as string, // as the format says
    cert: `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`,
  };
}

function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const content = Buffer.concat(parts);
  const { length } = content;
  const size =
    length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function time(at: number): Buffer {
  const digits = new Date(at).toISOString().replaceAll(/\D/g, '').slice(2, 14);
  return der(0x17, Buffer.from(`${digits}Z`));
}

function hex(text: string): Buffer {
  return Buffer.from(text, 'hex');
}
