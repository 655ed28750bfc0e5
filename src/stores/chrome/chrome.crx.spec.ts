import { createHash, createVerify, generateKeyPairSync } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import {
  CRX_PREAMBLE_BYTES,
  crxStartOf,
  CrxVerification,
  InvalidCrx,
  InvalidSigningKey,
  newSigningKey,
  privatePemOf,
  publicPemOf,
  readCrxHeader,
  signingKeyOf,
  zipStartOf,
  type SigningKey,
} from './chrome.crx.js';

const ZIP = Buffer.from('PK\u0003\u0004 any bytes of a zip');
const pieces = async function* (bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes.subarray(0, 5);
  yield bytes.subarray(5);
};

const headerOf = (start: Buffer): Buffer => start.subarray(CRX_PREAMBLE_BYTES);

function verify(start: Buffer, zip: Buffer): void {
  const check = new CrxVerification(readCrxHeader(headerOf(start)));
  check.update(zip);
  check.end();
}

describe('a CRX', () => {
  let key: SigningKey;
  let start: Buffer;

  beforeAll(async () => {
    key = await newSigningKey();
    start = await crxStartOf(pieces(ZIP), key);
  });

  it('verifies, and is the same each time', async () => {
    expect(() => verify(start, ZIP)).not.toThrow();
    expect(zipStartOf(start)).toBe(start.length);
    expect(await crxStartOf(pieces(ZIP), signingKeyOf(privatePemOf(key)))).toEqual(start);
  });

  it('is refused once a bit of its zip, its signature, its id or its key has changed', () => {
    const last = ZIP.length - 1;
    const other = Buffer.from(ZIP);
    other[last] = (other[last] ?? 0) ^ 1;
    expect(() => verify(start, other)).toThrow(InvalidCrx);
    for (let at = CRX_PREAMBLE_BYTES; at < start.length; at += 1) {
      const changed = Buffer.from(start);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(() => verify(changed, ZIP)).toThrow(InvalidCrx);
    }
  });

  it('is refused when it is cut anywhere in its header', () => {
    for (let length = 0; length < start.length; length += 1) {
      const cut = start.subarray(0, length);
      expect(() => (length < CRX_PREAMBLE_BYTES ? zipStartOf(cut) : readCrxHeader(headerOf(cut)))).toThrow(InvalidCrx);
    }
  });

  it('is refused with so many signatures that checking them would keep the service busy', () => {
    const header = headerOf(start);
    const idBytes = 22;
    const proof = header.subarray(0, header.length - idBytes);
    const signed = (times: number): Buffer =>
      Buffer.concat([...Array.from({ length: times }, () => proof), header.subarray(-idBytes)]);
    expect(readCrxHeader(signed(16)).proofs).toHaveLength(16);
    expect(() => readCrxHeader(signed(17))).toThrow('The CRX has more than 16 signatures.');
  });

  it.each([
    ['a zip', Buffer.from('PK\u0003\u0004________')],
    ['version 2', Buffer.from('Cr24\u0002\0\0\0\u0010\0\0\0', 'latin1')],
    ['an empty header', Buffer.from('Cr24\u0003\0\0\0\0\0\0\0', 'latin1')],
    ['a header of 4 GB', Buffer.from('Cr24\u0003\0\0\0ÿÿÿÿ', 'latin1')],
  ])('is not %s', (_what, preamble) => {
    expect(() => zipStartOf(preamble)).toThrow(InvalidCrx);
  });

  it('signs what the format says it signs', () => {
    const { proofs, signedHeaderData } = readCrxHeader(headerOf(start));
    const der = key.publicKey.export({ type: 'spki', format: 'der' });
    const crxId = createHash('sha256').update(der).digest().subarray(0, 16);
    expect(signedHeaderData).toEqual(Buffer.concat([Buffer.from([0x0a, 0x10]), crxId]));
    const signed = Buffer.concat([
      Buffer.from('CRX3 SignedData\0'),
      Buffer.from([0x12, 0, 0, 0]),
      signedHeaderData,
      ZIP,
    ]);
    const [proof] = proofs;
    expect(proof && createVerify('sha256').update(signed).verify(proof.publicKey, proof.signature)).toBe(true);
  });
});

describe('a signing key', () => {
  it('is RSA with 2,048 bits or more, in PEM and without a passphrase', () => {
    const pemOf = (bits: number): string =>
      generateKeyPairSync('rsa', {
        modulusLength: bits,
        publicKeyEncoding: { type: 'spki', format: 'pem' },
        privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      }).privateKey;
    const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({ type: 'pkcs8', format: 'pem' });
    const locked = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey.export({
      type: 'pkcs8',
      format: 'pem',
      cipher: 'aes-256-cbc',
      passphrase: 'secret',
    });
    for (const pem of ['', 'garbage', pemOf(1024), ec.toString(), locked.toString()])
      expect(() => signingKeyOf(pem)).toThrow(InvalidSigningKey);
    const pem = pemOf(2048);
    expect(privatePemOf(signingKeyOf(pem))).toBe(pem);
    expect(publicPemOf(signingKeyOf(pem))).toMatch(/^-----BEGIN PUBLIC KEY-----\n/);
  });
});
