import { createPublicKey, createVerify } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { ReadStream } from 'node:fs';

/** Magic number, version of the format and length of the header. */
const PREAMBLE_BYTES = 12;
const RSA_PROOF = 2;
const SIGNED_HEADER_DATA = 10_000;

/** The header of a CRX3 file (https://chromium.googlesource.com/chromium/src/+/main/components/crx_file/crx3.proto). */
export interface SignedPackage {
  /** Where its zip begins. */
  readonly zipStart: number;
  /** Whether an RSA signature in it is of this key, in PEM, and of its zip. */
  isSignedBy(publicKey: string): Promise<boolean>;
}

/** Reads the header of a package; null for a bare zip. */
export async function readSignature(path: string): Promise<SignedPackage | null> {
  const file = await open(path, 'r');
  try {
    const head = await file.read(Buffer.alloc(PREAMBLE_BYTES), 0, PREAMBLE_BYTES, 0);
    const isCrx3 =
      head.bytesRead === PREAMBLE_BYTES &&
      head.buffer.toString('latin1', 0, 4) === 'Cr24' &&
      head.buffer.readUInt32LE(4) === 3;
    if (!isCrx3) return null;
    const length = head.buffer.readUInt32LE(8);
    const header = (await file.read(Buffer.alloc(length), 0, length, PREAMBLE_BYTES)).buffer;
    const zipStart = PREAMBLE_BYTES + length;
    return { zipStart, isSignedBy: (publicKey) => isSigned(path, header, zipStart, publicKey) };
  } finally {
    await file.close();
  }
}

async function isSigned(path: string, header: Buffer, zipStart: number, publicKey: string): Promise<boolean> {
  const fields = fieldsOf(header);
  const data = fields.find(([number]) => number === SIGNED_HEADER_DATA)?.[1];
  const der = createPublicKey(publicKey).export({ type: 'spki', format: 'der' });
  const proof = fields
    .filter(([number]) => number === RSA_PROOF)
    .map(([, value]) => new Map(fieldsOf(value)))
    .find((one) => one.get(1)?.equals(der) === true);
  const signature = proof?.get(2);
  if (data === undefined || signature === undefined) return false;
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  const verify = createVerify('sha256').update('CRX3 SignedData\0').update(length).update(data);
  const file = await open(path, 'r');
  const zip: ReadStream = file.createReadStream({ start: zipStart });
  for await (const piece of zip) verify.update(piece as Buffer);
  return verify.verify(publicKey, signature);
}

/** The fields of a protocol buffer that has only texts of bytes; what follows a damaged one is left out. */
function fieldsOf(bytes: Buffer): (readonly [number: number, value: Buffer])[] {
  const found: (readonly [number, Buffer])[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let shift = 0; shift < 28; shift += 7) {
      const byte = bytes[at++] ?? 0;
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) break;
    }
    return value;
  };
  while (at < bytes.length) {
    const number = varint() >>> 3;
    const length = varint();
    found.push([number, bytes.subarray(at, at + length)]);
    at += length;
  }
  return found;
}
