import { lookup, type LookupAddress } from 'node:dns';
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Config } from '../../common/config/index.js';
import { Deadline, redactText, truncate } from '../../common/net/index.js';
import { SECOND_MS } from '../../common/system/index.js';
import { isPrivateAddress } from './private-address.js';
import { isLocalReceiver, urlFault, type UrlRules } from './webhook-url.js';

/** From the DNS lookup to the headers of the answer. */
const TIMEOUT_MS = 10_000;

/** Of an answer's body, as much as shows a person why a webhook was refused. */
const MAX_ANSWER = 2048;
/** The status is the answer: its body is no reason to wait for long. */
const BODY_TIMEOUT_MS = SECOND_MS;

/** A receiver's answer. */
export interface WebhookAnswer {
  readonly status: number;
  /** Its `Retry-After`, unparsed. */
  readonly retryAfter: string | null;
  /** The beginning of its body, without what looks like a secret; null where it has none, or may not be read. */
  readonly body: string | null;
}

/** Why there was no answer. `refused_address`: the URL does not resolve to an address that tenants may have called. */
export type WebhookFailure = 'timeout' | 'network' | 'refused_address';

class RefusedAddress extends Error {}

/**
 * Calls URLs that tenants chose, but no address of this machine or its networks unless the operator allows it. Does not follow redirects.
 * Does not use `HttpClient`, whose hosts the operator configures: only Node's own request can check the address that it connects to.
 */
@Injectable()
export class WebhookSender {
  private readonly rules: UrlRules;

  constructor(config: Config) {
    this.rules = {
      isLocalService: config.isLocal,
      allowsPrivate: config.webhookPrivateAddresses === 'allow',
    };
  }

  /** Why a URL is not allowed; null when it is. */
  faultOf(url: string): string | null {
    return urlFault(url, this.rules);
  }

  /** Sends a POST request. Never throws: a call that fails returns why. */
  async post(
    address: string,
    headers: Readonly<Record<string, string>>,
    body: string,
  ): Promise<WebhookAnswer | WebhookFailure> {
    if (this.faultOf(address) !== null) return 'refused_address';
    const url = new URL(address);
    const deadline = new Deadline(TIMEOUT_MS);
    const isTrusted = this.rules.allowsPrivate || isLocalReceiver(url, this.rules);
    try {
      const call = exchange(url, body, {
        method: 'POST',
        headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
        agent: false,
        signal: deadline.signal,
        ...(isTrusted ? {} : { lookup: publicLookup }),
      });
      const answer = await deadline.limit(call);
      // What answers at an address of the operator's network is not shown to tenants.
      const beginning = this.rules.allowsPrivate ? null : await beginningOf(answer);
      answer.destroy();
      return { status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] ?? null, body: beginning };
    } catch (error) {
      if (error instanceof RefusedAddress) return 'refused_address';
      return deadline.passed ? 'timeout' : 'network';
    } finally {
      deadline.close();
    }
  }
}

/** Sends a request. Settles whether the receiver answers, switches protocols (101), or closes the connection without an answer. */
function exchange(url: URL, body: string, options: RequestOptions): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const answered = (answer: IncomingMessage): void => {
      answer.on('error', () => undefined);
      resolve(answer);
    };
    request(url, options, answered)
      .on('upgrade', (answer, socket) => {
        socket.destroy();
        answered(answer);
      })
      .on('error', reject)
      .on('close', () => reject(new Error('The connection was closed without an answer')))
      .end(body);
  });
}

/** Reads the beginning of an answer's body for a moment. Never throws: what did not arrive is left out. */
async function beginningOf(answer: IncomingMessage): Promise<string | null> {
  const stop = setTimeout(() => answer.destroy(), BODY_TIMEOUT_MS);
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of answer as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      // A character has up to four bytes.
      if (size >= 4 * MAX_ANSWER) break;
    }
  } catch {
    // The receiver or the time limit closed the connection; what came before stays.
  } finally {
    clearTimeout(stop);
  }
  const text = redactText(Buffer.concat(chunks).toString('utf8')).trim();
  return text === '' ? null : truncate(text, MAX_ANSWER);
}

/**
 * Resolves a name, and refuses it when one of its addresses is private. The connection uses these very addresses. An unknown name is refused
 * in the same way, or tenants could find out which names exist in the operator's network.
 */
const publicLookup: LookupFunction = (hostname, options, done) => {
  lookup(hostname, { ...options, all: true }, (error, found: LookupAddress[]) => {
    const [first] = found ?? [];
    if (error !== null || first === undefined || found.some(({ address }) => isPrivateAddress(address)))
      done(new RefusedAddress(), '');
    else if (options.all === true) done(null, found);
    else done(null, first.address, first.family);
  });
};
