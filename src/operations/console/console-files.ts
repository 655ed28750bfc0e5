import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Injectable } from '@nestjs/common';

/** The folder to which `npm run build` writes the console: beside `dist` and `src` alike. */
const FOLDER = fileURLToPath(new URL('../../../console/dist', import.meta.url));

const TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
};

/** The encodings that the build writes, the smallest first, by the ending of their files. */
const ENCODINGS = { br: '.br', gzip: '.gz' } as const;
export type Encoding = keyof typeof ENCODINGS;

/** A file of the console, as it is and compressed. */
export interface ConsoleFile {
  readonly type: string;
  readonly etag: string;
  readonly body: Buffer;
  readonly encoded: Readonly<Partial<Record<Encoding, Buffer>>>;
}

/** The files of the console, read into memory at start, so that no request reads a path of the disk. A few hundred kilobytes. */
@Injectable()
export class ConsoleFiles {
  private readonly files: ReadonlyMap<string, ConsoleFile>;

  constructor() {
    this.files = new Map(
      listed(FOLDER)
        .filter((name) => TYPES[extname(name)] !== undefined)
        .map((name) => [name, readConsoleFile(name)]),
    );
  }

  /** The page that shows every part of the console; null where `npm run build` has not built it. */
  get page(): ConsoleFile | null {
    return this.files.get('index.html') ?? null;
  }

  /** Finds a file whose name contains a hash of its content; null for none. */
  findAsset(name: string): ConsoleFile | null {
    return this.files.get(`assets/${name}`) ?? null;
  }
}

const listed = (folder: string): readonly string[] =>
  existsSync(folder) ? readdirSync(folder, { recursive: true, encoding: 'utf8' }) : [];

function readConsoleFile(name: string): ConsoleFile {
  const path = join(FOLDER, name);
  const body = readFileSync(path);
  const encoded = Object.entries(ENCODINGS)
    .filter(([, ending]) => existsSync(path + ending))
    .map(([encoding, ending]) => [encoding, readFileSync(path + ending)]);
  return {
    type: TYPES[extname(name)] ?? 'application/octet-stream',
    etag: `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`,
    body,
    encoded: Object.fromEntries(encoded) as ConsoleFile['encoded'],
  };
}
