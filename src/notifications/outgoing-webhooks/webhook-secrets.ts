import { Injectable } from '@nestjs/common';
import { CannotUnseal, Sealer } from '../../common/sealing/index.js';
import { Clock } from '../../common/system/index.js';
import { isFormerValid, type EndpointRow } from '../endpoint.entity.js';

interface Secrets {
  readonly current: string;
  readonly former: string | null;
}

const purposeOf = (id: string): string => `notification-endpoint:${id}`;

/** The secrets that sign what is sent to a webhook. */
@Injectable()
export class WebhookSecrets {
  constructor(
    private readonly clock: Clock,
    private readonly sealer: Sealer,
  ) {}

  /** Seals the secrets of an endpoint. */
  seal(id: string, secrets: Secrets): Promise<string> {
    return this.sealer.seal(secrets, purposeOf(id));
  }

  /** Returns the secrets that currently sign a webhook, newest first. @throws CannotUnseal */
  async of({ id, sealed, formerUntil }: EndpointRow): Promise<readonly string[]> {
    if (sealed === null) throw new Error('Only a webhook has secrets');
    const { current, former } = await this.unseal(id, sealed);
    return former !== null && isFormerValid(formerUntil, this.clock.now()) ? [current, former] : [current];
  }

  /** Returns the current secret; null when its encryption key was lost, so that the tenant can still rotate it. */
  async currentOf(id: string, sealed: string): Promise<string | null> {
    try {
      return (await this.unseal(id, sealed)).current;
    } catch (error) {
      if (error instanceof CannotUnseal) return null;
      throw error;
    }
  }

  private async unseal(id: string, sealed: string): Promise<Secrets> {
    return (await this.sealer.unseal(sealed, purposeOf(id))) as Secrets;
  }
}
