import { crc32, deflateRawSync } from 'node:zlib';

/** An entry of a zip, and what the zip says of it. */
export interface Lies {
  name: string;
  content?: Buffer;
  /** The content deflated, when that is done already. */
  packed?: Buffer;
  method?: number;
  flags?: number;
  mode?: number;
  host?: number;
  size?: number;
  packedSize?: number;
  crc?: number;
  headerAt?: number;
  localName?: string;
  extra?: Buffer;
}

/** Writes a zip in which every field may say something else than the truth. */
export function forge(entries: Lies[], end: { entries?: number; size?: number; start?: number } = {}): Buffer {
  const bodies: Buffer[] = [];
  const list: Buffer[] = [];
  let at = 0;
  for (const lies of entries) {
    const { content = Buffer.alloc(0), method = 8, flags = 0x800, extra = Buffer.alloc(0) } = lies;
    const packed = method === 8 ? (lies.packed ?? deflateRawSync(content)) : content;
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(method, 4);
    common.writeUInt32LE(lies.crc ?? crc32(content), 10);
    common.writeUInt32LE(lies.packedSize ?? packed.length, 14);
    common.writeUInt32LE(lies.size ?? content.length, 18);
    const name = Buffer.from(lies.name);
    common.writeUInt16LE(name.length, 22);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(lies.localName ?? lies.name), packed]);
    common.writeUInt16LE(extra.length, 24);
    const tail = Buffer.alloc(14);
    tail.writeUInt32LE(((lies.mode ?? 0) << 16) >>> 0, 6);
    tail.writeUInt32LE(lies.headerAt ?? at, 10);
    list.push(Buffer.concat([Buffer.from('PK\x01\x02'), Buffer.from([20, lies.host ?? 3]), common, tail, name, extra]));
    bodies.push(local);
    at += local.length;
  }
  const size = Buffer.concat(list).length;
  const last = Buffer.alloc(22);
  last.write('PK\x05\x06', 'latin1');
  last.writeUInt16LE(end.entries ?? entries.length, 8);
  last.writeUInt16LE(end.entries ?? entries.length, 10);
  last.writeUInt32LE(end.size ?? size, 12);
  last.writeUInt32LE(end.start ?? at, 16);
  return Buffer.concat([...bodies, ...list, last]);
}
