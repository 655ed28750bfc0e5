import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { MINUTE_MS, USER_AGENT } from '../system/index.js';
import { Deadline } from './deadline.js';
import { cleanText, truncate } from './redact.js';
import { isWorkLockValid } from './lock-check.js';
import { HttpFailure, safeCause, type HttpFailureKind } from './http-failure.js';

const TIMEOUT_MS = 15_000;
const MAX_BODY_BYTES = 1024 * 1024;
const MAX_NAME = 200;
const UPLOAD_CAP_MS = 10 * MINUTE_MS;
/** A store reads a whole package before it answers, and a slow line may still be sending the last bytes. */
const ANSWER_AFTER_UPLOAD_FACTOR = 4;
/** Small enough for several pieces within one timeout on a slow line. */
const PIECE_BYTES = 64 * 1024;

export interface HttpClientOptions {
  /** Origins (`https://host[:port]`) that may be called; a path after one is ignored. */
  readonly allowedHosts: readonly string[];
  /** Domains of which every https address may be called, also below them. */
  readonly allowedDomains?: readonly string[];
  /** Covers headers and body of the answer; while a stream is sent, the longest time without progress. Default 15 s. */
  readonly timeoutMs?: number;
  /** Largest answer, after decompression. Default 1 MiB. */
  readonly maxBodyBytes?: number;
  /** Longest total time for sending a stream, or for downloading a file. Default 10 minutes. */
  readonly uploadCapMs?: number;
}

export interface HttpRequest {
  readonly method: string;
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** A stream is sent in chunks, and destroyed before `request` settles. */
  readonly body?: string | Buffer | Readable;
  readonly timeoutMs?: number;
  /** Largest answer of this request, instead of the client's. */
  readonly maxBodyBytes?: number;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The body as it came, after decompression by its `Content-Encoding`. */
  readonly bytes: Buffer;
  /** The body, without control characters. */
  readonly text: string;
  /** The body as JSON, its texts without control characters; `undefined` when it is not JSON. */
  readonly json: unknown;
  readonly durationMs: number;
}

/** A file that was downloaded. */
export interface Download {
  readonly status: number;
  /** Of the file, in hex; null where the status is not 200, and nothing was written. */
  readonly sha256: string | null;
}

/**
 * Makes outgoing requests with Node's fetch: to allowed origins only, without following redirects, bounded in time and size. Any status is an
 * answer; no answer is an `HttpFailure`.
 */
export class HttpClient {
  private readonly origins: ReadonlySet<string>;
  private readonly domains: readonly string[];
  private readonly timeoutMs: number;
  private readonly maxBodyBytes: number;
  private readonly uploadCapMs: number;

  constructor(options: HttpClientOptions) {
    this.origins = new Set(options.allowedHosts.map((host) => new URL(host).origin));
    this.domains = options.allowedDomains ?? [];
    this.timeoutMs = options.timeoutMs ?? TIMEOUT_MS;
    this.maxBodyBytes = options.maxBodyBytes ?? MAX_BODY_BYTES;
    this.uploadCapMs = options.uploadCapMs ?? UPLOAD_CAP_MS;
  }

  /** @throws HttpFailure and nothing else. */
  async request(request: HttpRequest): Promise<HttpAnswer> {
    const source = request.body instanceof Readable ? request.body : undefined;
    let broken: Error | undefined;
    // Without a listener, a source that fails before it is read would end the process.
    source?.on('error', (error) => (broken ??= error));
    const timeoutMs = request.timeoutMs ?? this.timeoutMs;
    const deadline = new Deadline(timeoutMs, source && this.uploadCapMs);
    const exchange = (): Promise<HttpAnswer> =>
      this.exchange(request, deadline, source && piecesOf(source, deadline, timeoutMs));
    try {
      return await this.guarded(request, deadline, exchange, source !== undefined);
    } catch (error) {
      if (broken === undefined || !(error instanceof HttpFailure) || error.kind !== 'network') throw error;
      throw failureOf(request, 'network', 'was given up: its body could not be read to the end', safeCause(broken));
    } finally {
      source?.destroy();
    }
  }

  /**
   * Writes the body of a 200 into a new file, piece by piece. The time limit is the longest without progress.
   * @param path the caller's to remove, also after a failure
   * @throws HttpFailure and nothing else.
   */
  async download(request: HttpRequest, path: string): Promise<Download> {
    const timeoutMs = request.timeoutMs ?? this.timeoutMs;
    const deadline = new Deadline(timeoutMs, this.uploadCapMs);
    const exchange = async (): Promise<Download> => {
      const response = await send(request, deadline);
      if (response.status !== 200) return { status: response.status, sha256: null };
      const hash = createHash('sha256');
      const file = await open(path, 'wx', 0o600);
      try {
        for await (const piece of piecesIn(response, this.mostBytes(request))) {
          deadline.extend(timeoutMs);
          hash.update(piece);
          await file.appendFile(piece);
        }
      } finally {
        await file.close();
      }
      return { status: response.status, sha256: hash.digest('hex') };
    };
    return this.guarded(request, deadline, exchange, true);
  }

  /** Makes a request if it is allowed, and gives every failure its kind. */
  private async guarded<T>(
    request: HttpRequest,
    deadline: Deadline,
    exchange: () => Promise<T>,
    isLong: boolean,
  ): Promise<T> {
    try {
      if (!this.isAllowed(request.url))
        throw failureOf(request, 'refused_host', 'is not an address this server may call');
      if (!(await deadline.limit(isWorkLockValid())))
        throw failureOf(request, 'lock_lost', 'was not made: another worker has taken over');
      return await deadline.limit(exchange());
    } catch (error) {
      if (error instanceof HttpFailure) throw error;
      if (error instanceof TooLarge)
        throw failureOf(request, 'too_large', `answered more than ${this.mostBytes(request)} bytes`);
      if (deadline.passed)
        throw failureOf(request, 'timeout', isLong ? 'stalled or took too long' : 'did not answer in time');
      const cause = safeCause(error);
      throw failureOf(request, 'network', cause ? `failed (${cause.code})` : 'failed', cause);
    } finally {
      deadline.close();
    }
  }

  private async exchange(
    request: HttpRequest,
    deadline: Deadline,
    pieces?: AsyncIterable<Buffer>,
  ): Promise<HttpAnswer> {
    const started = performance.now();
    const response = await send(request, deadline, pieces);
    const bytes = await this.read(response, this.mostBytes(request));
    const text = new TextDecoder().decode(bytes);
    const durationMs = Math.round(performance.now() - started);
    return {
      status: response.status,
      headers: response.headers,
      bytes,
      text: cleanText(text),
      json: jsonOf(text),
      durationMs,
    };
  }

  private mostBytes({ maxBodyBytes }: HttpRequest): number {
    return maxBodyBytes ?? this.maxBodyBytes;
  }

  private async read(response: Response, maxBytes: number): Promise<Buffer> {
    const chunks: Uint8Array[] = [];
    for await (const chunk of piecesIn(response, maxBytes)) chunks.push(chunk);
    return Buffer.concat(chunks);
  }

  private isAllowed(address: string): boolean {
    if (!URL.canParse(address)) return false;
    const url = new URL(address);
    // All other schemes have the origin "null", so one such entry would allow them all.
    const isBare = /^https?:$/.test(url.protocol) && url.username === '' && url.password === '';
    return isBare && (this.origins.has(url.origin) || this.isInDomain(url));
  }

  private isInDomain({ protocol, port, hostname }: URL): boolean {
    return protocol === 'https:' && port === '' && this.domains.some((domain) => isWithin(hostname, domain));
  }
}

/** Whether a host is a domain or below it. Pure. */
export const isWithin = (hostname: string, domain: string): boolean =>
  hostname === domain || hostname.endsWith(`.${domain}`);

class TooLarge extends Error {}

const failureOf = (request: HttpRequest, kind: HttpFailureKind, why: string, cause?: unknown): HttpFailure =>
  new HttpFailure(kind, `${nameOf(request)} ${why}`, cause);

const send = (request: HttpRequest, deadline: Deadline, pieces?: AsyncIterable<Buffer>): Promise<Response> =>
  fetch(request.url, {
    method: request.method,
    headers: { 'user-agent': USER_AGENT, ...request.headers },
    body: pieces ?? (request.body as string | Buffer | undefined) ?? null,
    redirect: 'manual',
    signal: deadline.signal,
    ...(pieces && { duplex: 'half' }),
  });

/** Yields the body of an answer, and ends once it has more than so many bytes. */
async function* piecesIn(response: Response, maxBytes: number): AsyncGenerator<Uint8Array> {
  let size = 0;
  for await (const piece of response.body ?? []) {
    size += piece.byteLength;
    if (size > maxBytes) throw new TooLarge();
    yield piece;
  }
}

/** Yields a stream in pieces. Each request for the next piece shows progress, and extends the deadline. */
async function* piecesOf(source: Readable, deadline: Deadline, timeoutMs: number): AsyncGenerator<Buffer> {
  for await (const chunk of source) {
    const bytes = Buffer.from(chunk as Buffer | string);
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      deadline.extend(timeoutMs);
      yield bytes.subarray(at, at + PIECE_BYTES);
    }
  }
  deadline.extend(timeoutMs * ANSWER_AFTER_UPLOAD_FACTOR);
}

/** Returns method, host and path, the parts of a request that contain no secret. */
function nameOf({ method, url }: HttpRequest): string {
  if (!URL.canParse(url)) return `${method} (not a URL)`;
  const { host, pathname } = new URL(url);
  // An address may come from an answer, and the name stands in messages.
  return `${method} ${truncate(`${host}${pathname}`, MAX_NAME)}`;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text, (_name, value: unknown) => (typeof value === 'string' ? cleanText(value) : value));
  } catch {
    return undefined;
  }
}
