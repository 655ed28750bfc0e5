import {
  createHash,
  createPrivateKey,
  createPublicKey,
  createSign,
  createVerify,
  generateKeyPair,
  type KeyObject,
} from 'node:crypto';
import { promisify } from 'node:util';

/**
 * The CRX3 format: a zip behind a header with signatures of it (src/stores/README.md#chrome-signed-packages).
 * Source: https://chromium.googlesource.com/chromium/src/+/main/components/crx_file/crx3.proto
 */
export const CRX_MAGIC = 'Cr24';
/** Magic number, version of the format, and length of the header. */
export const CRX_PREAMBLE_BYTES = 12;
const FORMAT_VERSION = 3;
/** Far more than a header with a dozen signatures has. */
const MAX_HEADER_BYTES = 1024 * 1024;
/** A CRX has one signature or two; each costs a digest of the whole zip. */
const MAX_PROOFS = 16;
const CRX_ID_BYTES = 16;
const SIGNED_PREFIX = Buffer.from('CRX3 SignedData\0', 'latin1');
const RSA_BITS = 2048;

/** Numbers of the fields of `CrxFileHeader`, `AsymmetricKeyProof` and `SignedData`. */
const FIELD = { rsa: 2, ecdsa: 3, signedHeaderData: 10_000, publicKey: 1, signature: 2, crxId: 1 } as const;

/** A file that is no CRX, or whose signatures do not fit. Its message is a sentence about the file. */
export class InvalidCrx extends Error {
  override readonly name = 'InvalidCrx';
}

/** A key that cannot sign a CRX. Its message is a sentence. */
export class InvalidSigningKey extends Error {
  override readonly name = 'InvalidSigningKey';
}

/** One signature of a CRX. */
interface Proof {
  readonly publicKey: KeyObject;
  /** Id of the public key, exactly as it is written. */
  readonly crxId: Buffer;
  readonly signature: Buffer;
}

/** The header of a CRX. */
export interface CrxHeader {
  readonly signedHeaderData: Buffer;
  readonly proofs: readonly Proof[];
}

/** Reads where the zip of a CRX begins, in bytes. Pure. @throws InvalidCrx */
export function zipStartOf(preamble: Buffer): number {
  if (preamble.length < CRX_PREAMBLE_BYTES || preamble.toString('latin1', 0, 4) !== CRX_MAGIC)
    throw new InvalidCrx('The file is not a CRX.');
  if (preamble.readUInt32LE(4) !== FORMAT_VERSION)
    throw new InvalidCrx('The CRX has an old format; only CRX3 is accepted.');
  const length = preamble.readUInt32LE(8);
  if (length === 0 || length > MAX_HEADER_BYTES) throw new InvalidCrx('The header of the CRX is damaged.');
  return CRX_PREAMBLE_BYTES + length;
}

/** Reads the header of a CRX, without its preamble. Pure. @throws InvalidCrx also where none of its keys is the one that its id is made of */
export function readCrxHeader(bytes: Buffer): CrxHeader {
  const fields = messageOf(bytes);
  const [signedHeaderData, ...others] = fields.filter(({ number }) => number === FIELD.signedHeaderData);
  if (signedHeaderData === undefined || others.length > 0) throw new InvalidCrx('The header of the CRX is damaged.');
  const [crxId] = valuesOf(messageOf(signedHeaderData.value), FIELD.crxId);
  const keys = fields.filter(({ number }) => number === FIELD.rsa || number === FIELD.ecdsa);
  if (keys.length > MAX_PROOFS) throw new InvalidCrx(`The CRX has more than ${MAX_PROOFS} signatures.`);
  const proofs = keys.map(({ number, value }) => proofOf(value, number === FIELD.rsa ? 'rsa' : 'ec'));
  if (!proofs.some((proof) => crxId !== undefined && proof.crxId.equals(crxId)))
    throw new InvalidCrx('The CRX is not signed with the key that its id is made of.');
  return { signedHeaderData: signedHeaderData.value, proofs };
}

/** Checks each signature of a CRX, while its zip is read once. */
export class CrxVerification {
  private readonly checks;

  constructor({ signedHeaderData, proofs }: CrxHeader) {
    this.checks = proofs.map(({ publicKey, signature }) => {
      const verify = createVerify('sha256');
      for (const piece of prefixOf(signedHeaderData)) verify.update(piece);
      return { verify, publicKey, signature };
    });
  }

  /** Takes the next bytes of the zip. */
  update(piece: Uint8Array): void {
    for (const { verify } of this.checks) verify.update(piece);
  }

  /** @throws InvalidCrx where a signature is not of this zip */
  end(): void {
    for (const { verify, publicKey, signature } of this.checks)
      if (!verify.verify(publicKey, signature))
        throw new InvalidCrx('A signature of the CRX is not of its content: the file was changed after it was signed.');
  }
}

/**
 * Makes what stands before a zip to make it a CRX. The same key and zip always make the same bytes.
 * @param zip its bytes, read once
 */
export async function crxStartOf(zip: AsyncIterable<Uint8Array>, key: SigningKey): Promise<Buffer> {
  const signedHeaderData = field(FIELD.crxId, crxIdOf(derOf(key.publicKey)));
  const sign = createSign('sha256');
  for (const piece of prefixOf(signedHeaderData)) sign.update(piece);
  for await (const piece of zip) sign.update(piece);
  const proof = [field(FIELD.publicKey, derOf(key.publicKey)), field(FIELD.signature, sign.sign(key.privateKey))];
  const header = [field(FIELD.rsa, Buffer.concat(proof)), field(FIELD.signedHeaderData, signedHeaderData)];
  const length = header.reduce((bytes, one) => bytes + one.length, 0);
  return Buffer.concat([Buffer.from(CRX_MAGIC, 'latin1'), uint32(FORMAT_VERSION), uint32(length), ...header]);
}

/** A key that signs packages for the Chrome Web Store. */
export interface SigningKey {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

/** Makes an RSA key, as Chrome's page on verified uploads asks for. */
export async function newSigningKey(): Promise<SigningKey> {
  return promisify(generateKeyPair)('rsa', { modulusLength: RSA_BITS });
}

/** Reads a private key in PEM. Pure. @throws InvalidSigningKey */
export function signingKeyOf(pem: string): SigningKey {
  let privateKey: KeyObject;
  try {
    privateKey = createPrivateKey(pem);
  } catch {
    throw new InvalidSigningKey('It is not a private key in PEM, or it has a passphrase.');
  }
  if (privateKey.asymmetricKeyType !== 'rsa') throw new InvalidSigningKey('It is not an RSA key.');
  const { modulusLength = 0 } = privateKey.asymmetricKeyDetails ?? {};
  if (modulusLength < RSA_BITS) throw new InvalidSigningKey(`It has ${modulusLength} bits; ${RSA_BITS} are the least.`);
  return { privateKey, publicKey: createPublicKey(privateKey) };
}

/** The private key in PEM (PKCS #8). */
export const privatePemOf = ({ privateKey }: SigningKey): string =>
  privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** The public key in PEM, as the Developer Dashboard takes it. */
export const publicPemOf = ({ publicKey }: Pick<SigningKey, 'publicKey'>): string =>
  publicKey.export({ type: 'spki', format: 'pem' }).toString();

const derOf = (publicKey: KeyObject): Buffer => publicKey.export({ type: 'spki', format: 'der' });

const crxIdOf = (der: Buffer): Buffer => createHash('sha256').update(der).digest().subarray(0, CRX_ID_BYTES);

/** What a signature covers before the zip. */
const prefixOf = (signedHeaderData: Buffer): readonly Buffer[] => [
  SIGNED_PREFIX,
  uint32(signedHeaderData.length),
  signedHeaderData,
];

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}

function proofOf(bytes: Buffer, type: 'rsa' | 'ec'): Proof {
  const fields = messageOf(bytes);
  const [der] = valuesOf(fields, FIELD.publicKey);
  const [signature] = valuesOf(fields, FIELD.signature);
  if (der === undefined || signature === undefined) throw new InvalidCrx('The header of the CRX is damaged.');
  try {
    const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' });
    if (publicKey.asymmetricKeyType === type) return { publicKey, crxId: crxIdOf(der), signature };
  } catch {
    // Falls through: which way a key is unreadable is nothing that an author could mend.
  }
  throw new InvalidCrx('The CRX is signed with a key that cannot be read.');
}

/** A field of a protocol buffer whose value has a length of its own; a CRX has no others. */
interface Field {
  readonly number: number;
  readonly value: Buffer;
}

const valuesOf = (fields: readonly Field[], wanted: number): readonly Buffer[] =>
  fields.filter(({ number }) => number === wanted).map(({ value }) => value);

const LENGTH_DELIMITED = 2;

function messageOf(bytes: Buffer): readonly Field[] {
  const found: Field[] = [];
  for (let at = 0; at < bytes.length;) {
    const tag = varintAt(bytes, at);
    const length = varintAt(bytes, tag.end);
    const end = length.end + length.value;
    if (tag.value % 8 !== LENGTH_DELIMITED || end > bytes.length)
      throw new InvalidCrx('The header of the CRX is damaged.');
    found.push({ number: Math.floor(tag.value / 8), value: bytes.subarray(length.end, end) });
    at = end;
  }
  return found;
}

/** Larger numbers than four bytes hold do not occur in a header of at most a megabyte. */
const VARINT_BYTES = 4;

function varintAt(bytes: Buffer, start: number): { readonly value: number; readonly end: number } {
  let value = 0;
  for (let at = start; at < start + VARINT_BYTES; at += 1) {
    const byte = bytes[at];
    if (byte === undefined) break;
    value += (byte & 0x7f) * 2 ** (7 * (at - start));
    if (byte < 0x80) return { value, end: at + 1 };
  }
  throw new InvalidCrx('The header of the CRX is damaged.');
}

const field = (number: number, value: Buffer): Buffer =>
  Buffer.concat([varint(number * 8 + LENGTH_DELIMITED), varint(value.length), value]);

function varint(value: number): Buffer {
  const bytes: number[] = [];
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) bytes.push((rest % 0x80) + 0x80);
  return Buffer.from([...bytes, rest]);
}
