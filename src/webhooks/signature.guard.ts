import { createParamDecorator, Injectable, type CanActivate, type ExecutionContext } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Clock, MINUTE_SECONDS } from '../common/system/index.js';
import { Config } from '../common/config/index.js';
import { uuidOrNil } from '../common/fields/index.js';
import { InvalidRequest } from '../common/problems/index.js';
import { addressKey, addToWorkContext, RateLimits, type LockoutLimit } from '../common/access/index.js';
import { CredentialsService, type OpenedPaymentSecrets } from '../credentials/index.js';
import { Processors, type Processor, type SignedRequest } from '../payments/index.js';
import { BodyMemory } from './body-memory.js';
import { receiveBody } from './receive-body.js';
import { BadSignature, UnknownTenantOrNoCredential } from './webhooks.problems.js';

/** A notification whose signature is valid. */
export interface VerifiedNotification {
  readonly tenantId: string;
  readonly processor: Processor;
  /** The secrets that signed it. */
  readonly secrets: readonly OpenedPaymentSecrets[];
  readonly request: SignedRequest;
}

interface GuardedRequest extends Request {
  notification?: VerifiedNotification;
}

/** Injects the notification that the `SignatureGuard` has verified. */
export const SignedNotification = createParamDecorator(
  (_: unknown, context: ExecutionContext): VerifiedNotification => {
    const { notification } = context.switchToHttp().getRequest<GuardedRequest>();
    if (notification === undefined) throw new Error('Only a route behind the SignatureGuard has a notification');
    return notification;
  },
);

/**
 * Admits notifications that a payment processor has signed. Tenant, processor and the presence of a signature are checked before the body is
 * read, and the signature before the body is parsed.
 */
@Injectable()
export class SignatureGuard implements CanActivate {
  constructor(
    private readonly config: Config,
    private readonly clock: Clock,
    private readonly limits: RateLimits,
    private readonly processors: Processors,
    private readonly credentials: CredentialsService,
    private readonly memory: BodyMemory,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const http = context.switchToHttp();
    const request = http.getRequest<GuardedRequest>();
    const response = http.getResponse<Response>();
    const tenantId = uuidOrNil(request.params['tenantId']);
    // Counted per tenant too, so that one tenant with a wrong secret does not block the processor for other tenants.
    const address = addressKey(request.ip ?? '');
    const sender = `${address} ${tenantId}`;
    await this.limits.admit(this.badSignatures, sender);
    const headers = request.headersDistinct;
    const expected = await this.expected(tenantId, request.params['processor'], headers);
    if (expected.length === 0) return this.refuse(sender);
    const body = await this.memory.within({ address, tenantId }, request, response, () =>
      receiveBody(request, response),
    );
    const signed = { headers, body };
    const found = expected
      .map(({ processor, candidates }) => ({
        processor,
        secrets: processor.signersOf(candidates, signed, this.clock.now()),
      }))
      .find(({ secrets }) => secrets.length > 0);
    if (found === undefined) return this.refuse(sender);
    addToWorkContext({ tenantId, actor: { kind: 'processor', name: found.processor.id } });
    request.notification = { tenantId, ...found, request: signed };
    return true;
  }

  /**
   * Finds the processors whose kind of signature the request carries, if any, with the tenant's secrets.
   * @param name a processor's id; when undefined, the header of the signature decides
   */
  private async expected(
    tenantId: string,
    name: unknown,
    headers: SignedRequest['headers'],
  ): Promise<readonly { readonly processor: Processor; readonly candidates: readonly OpenedPaymentSecrets[] }[]> {
    const signing = this.processors.signing({ headers });
    const meant = this.processors.all.filter(({ id }) => name === undefined || id === name);
    const signers = signing.filter((one) => meant.includes(one));
    const opened = [];
    for (const processor of signers.length > 0 ? signers : meant)
      opened.push({ processor, candidates: await this.credentials.openPayments(tenantId, processor.id) });
    const expected = opened.filter(({ candidates }) => candidates.length > 0);
    if (expected.length === 0) throw new UnknownTenantOrNoCredential();
    if (new Set(signing.map(({ signatureHeader }) => signatureHeader)).size > 1)
      throw new InvalidRequest([{ field: '', message: 'The request carries the signatures of several processors.' }]);
    return expected.filter(({ processor }) => signers.includes(processor));
  }

  private async refuse(sender: string): Promise<never> {
    await this.limits.penalize(this.badSignatures, sender);
    throw new BadSignature();
  }

  private get badSignatures(): LockoutLimit {
    return {
      name: 'bad-signatures',
      points: this.config.rateLimitBadSignatures,
      withinSeconds: MINUTE_SECONDS,
      lockoutSeconds: MINUTE_SECONDS,
    };
  }
}
