import { lookup, type LookupAddress } from 'node:dns';
import { request as requestHttp, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { LookupFunction } from 'node:net';
import { Injectable } from '@nestjs/common';
import { Config } from '../../common/config/index.js';
import { Deadline } from '../../common/net/index.js';
import { isPrivateAddress } from './private-address.js';
import { isLocalReceiver, urlFault, type UrlRules } from './webhook-url.js';

/** From the look-up of the name to the answer's headers. */
const TIMEOUT_MS = 10_000;

/** What a receiver answered; of its body nothing is read. */
export interface WebhookAnswer {
  readonly status: number;
  /** Its `Retry-After`, as it came. */
  readonly retryAfter: string | null;
}

/** Why there was no answer. `refused_address`: the URL leads to no address that a tenant may have called. */
export type WebhookFailure = 'timeout' | 'network' | 'refused_address';

class RefusedAddress extends Error {}

/**
 * Calls the addresses that tenants named, who are not the operator: never one of this machine or its networks, unless he allows it. A
 * redirect is an answer and not followed. It is not `HttpClient`, whose hosts the operator has named, because only Node's own request
 * lets a name be judged by where it leads, at the very connection that is made.
 */
@Injectable()
export class WebhookCaller {
  private readonly rules: UrlRules;

  constructor(config: Config) {
    this.rules = {
      isLocalService: config.isLocal,
      allowsPrivate: config.webhookPrivateAddresses === 'allow',
    };
  }

  /** What is wrong with a URL; null when nothing is. */
  faultOf(url: string): string | null {
    return urlFault(url, this.rules);
  }

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
      const answer = await deadline.hold(call);
      return { status: answer.statusCode ?? 0, retryAfter: answer.headers['retry-after'] ?? null };
    } catch (error) {
      if (error instanceof RefusedAddress) return 'refused_address';
      return deadline.passed ? 'timeout' : 'network';
    } finally {
      deadline.close();
    }
  }
}

/** Settles whatever the receiver does: answers, switches protocols (101), or closes the connection without a word. */
function exchange(url: URL, body: string, options: RequestOptions): Promise<IncomingMessage> {
  const request = url.protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const answered = (answer: IncomingMessage): void => {
      answer.on('error', () => undefined);
      answer.destroy();
      resolve(answer);
    };
    request(url, options, answered)
      .on('upgrade', answered)
      .on('error', reject)
      .on('close', () => reject(new Error('The connection was closed without an answer')))
      .end(body);
  });
}

/**
 * Finds the addresses of a name and hands on none when one is private: what was judged is what is connected to. A name that is unknown is
 * refused in the same way, or tenants could find out which names the operator's own network has.
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
