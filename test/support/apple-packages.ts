import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deflateSync, gzipSync, inflateSync } from 'node:zlib';
import { zipOf } from './packages.js';

/** What a signed package contains. */
export interface AppOptions {
  readonly version: string;
  readonly build: string;
  readonly bundleId?: string;
  /** Makes it another content. */
  readonly salt?: string;
  readonly isSigned?: boolean;
  readonly extensionPoint?: string;
}

const WEB_EXTENSION = 'com.apple.Safari.web-extension';

/** The certificate in a package that other tools have made. */
function certificate(): string {
  const made = readFileSync(join(import.meta.dirname, 'apple/xml-odc.pkg'));
  const toc = inflateSync(made.subarray(made.readUInt16BE(4))).toString();
  return /<X509Certificate>([^<]+)</.exec(toc)?.[1] ?? '';
}

const plist = (entries: Readonly<Record<string, string>>, more = ''): Buffer =>
  Buffer.from(
    `<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict>${Object.entries(entries)
      .map(([key, value]) => `<key>${key}</key><string>${value}</string>`)
      .join('')}${more}</dict></plist>\n`,
  );

const bundles = ({
  version,
  build,
  bundleId = 'com.example.tabcounter',
  extensionPoint = WEB_EXTENSION,
}: AppOptions) => {
  const numbers = { CFBundleShortVersionString: version, CFBundleVersion: build };
  const point =
    plist({ NSExtensionPointIdentifier: extensionPoint })
      .toString()
      .match(/<dict>.*<\/dict>/s)?.[0] ?? '';
  return {
    app: plist({ CFBundleIdentifier: bundleId, ...numbers }),
    extension: plist({ CFBundleIdentifier: `${bundleId}.Extension`, ...numbers }, `<key>NSExtension</key>${point}`),
  };
};

/** A .pkg for macOS, as an exported archive of Xcode is: a xar whose payload is a cpio in gzip. */
export function pkgOf(options: AppOptions): Buffer {
  const { app, extension } = bundles(options);
  const payload = gzipSync(
    cpio({
      './Tab Counter.app/Contents/Info.plist': app,
      './Tab Counter.app/Contents/PlugIns/Extension.appex/Contents/Info.plist': extension,
      './Tab Counter.app/Contents/Resources/salt': Buffer.from(options.salt ?? ''),
    }),
  );
  const info = '<?xml version="1.0" encoding="utf-8"?><pkg-info format-version="2"/>';
  return xar(
    {
      PackageInfo: { content: deflateSync(info), size: info.length, style: 'application/x-gzip' },
      Payload: { content: payload, size: payload.length, style: 'application/octet-stream' },
    },
    options,
  );
}

/** An .ipa for iOS. */
export function ipaOf(options: AppOptions): Promise<Buffer> {
  const { app, extension } = bundles(options);
  const root = 'Payload/Tab Counter.app';
  return zipOf({
    [`${root}/Info.plist`]: app.toString(),
    [`${root}/PlugIns/Extension.appex/Info.plist`]: extension.toString(),
    ...(options.isSigned === false ? {} : { [`${root}/_CodeSignature/CodeResources`]: plist({}).toString() }),
    [`${root}/embedded.mobileprovision`]: 'profile',
    [`${root}/salt`]: options.salt ?? '',
  });
}

function cpio(files: Readonly<Record<string, Buffer>>): Buffer {
  const entry = (name: string, content: Buffer): Buffer => {
    const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0');
    const header = `070707${'0'.repeat(12)}${octal(0o100644, 6)}${'0'.repeat(12)}${octal(1, 6)}${'0'.repeat(6)}${'0'.repeat(11)}`;
    return Buffer.concat([
      Buffer.from(`${header}${octal(name.length + 1, 6)}${octal(content.length, 11)}${name}\0`),
      content,
    ]);
  };
  const entries = Object.entries(files).map(([name, content]) => entry(name, content));
  return Buffer.concat([...entries, entry('TRAILER!!!', Buffer.alloc(0))]);
}

interface Kept {
  readonly content: Buffer;
  readonly size: number;
  readonly style: string;
}

function xar(files: Readonly<Record<string, Kept>>, { isSigned = true }: AppOptions): Buffer {
  const heap: Buffer[] = [Buffer.alloc(isSigned ? 256 : 0)];
  let offset = isSigned ? 276 : 20;
  const listed = Object.entries(files).map(([name, { content, size, style }], at) => {
    const entry = `<file id="${at + 1}"><data><length>${content.length}</length><offset>${offset}</offset><size>${size}</size><encoding style="${style}"/></data><type>file</type><name>${name}</name></file>`;
    offset += content.length;
    heap.push(content);
    return entry;
  });
  const signature = isSigned
    ? `<signature style="RSA"><offset>20</offset><size>256</size><KeyInfo xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${certificate()}</X509Certificate></X509Data></KeyInfo></signature>`
    : '';
  const text = `<?xml version="1.0" encoding="UTF-8"?><xar><toc><checksum style="sha1"><offset>0</offset><size>20</size></checksum>${signature}${listed.join('')}</toc></xar>`;
  return pkgWithToc(text, heap);
}

/** A xar with a table of contents, and what lies behind its digest. */
export function pkgWithToc(text: string, heap: readonly Buffer[] = []): Buffer {
  const toc = deflateSync(text);
  const header = Buffer.alloc(28);
  header.write('xar!');
  header.writeUInt16BE(28, 4);
  header.writeUInt16BE(1, 6);
  header.writeBigUInt64BE(BigInt(toc.length), 8);
  header.writeBigUInt64BE(BigInt(text.length), 16);
  header.writeUInt32BE(1, 24);
  return Buffer.concat([header, toc, createHash('sha1').update(toc).digest(), ...heap]);
}
