import { Injectable } from '@nestjs/common';
import { currentActor } from '../../common/access/index.js';
import { Hook, Transactions } from '../../common/database/index.js';
import { toldOfChange, toldOfNew, type ToldColumns, type ToldFact } from './license-event.js';

/**
 * SQL of the kinds of notifications that an endpoint of a tenant receives: a column of statements that run anyway, so that what nobody
 * listens to costs none of its own.
 * @param tenantId SQL of the tenant's id
 */
export const heardSql = (tenantId: string): string =>
  `array(select unnest(events) from notification_endpoint where tenant_id = ${tenantId} and enabled)`;

/** The same of the tenant of a `license`. */
export const HEARD_SQL = heardSql('license.tenant_id');

type ToldLicense = ToldColumns & { readonly id: string };

/** Tells what happens to licenses, in the transaction in which it happens. */
@Injectable()
export class LicenseEventsService {
  /** Runs with all facts of a transaction, before it commits. */
  readonly told = new Hook<readonly ToldFact[]>();
  /** Runs with the ids of trials of whose users nothing may remain. */
  readonly trialsErased = new Hook<readonly string[]>();
  private readonly tellAll = (facts: readonly ToldFact[]): Promise<void> => this.told.run(facts);

  constructor(private readonly tx: Transactions) {}

  /** Tells facts once the rest of the transaction is done. */
  async tell(facts: readonly ToldFact[]): Promise<void> {
    if (facts.length > 0) await this.tx.gather(this.tellAll, facts);
  }

  /** Tells those facts that somebody listens to. */
  tellHeard(heard: readonly string[], facts: readonly ToldFact[]): Promise<void> {
    return this.tell(facts.filter(({ kind }) => heard.includes(kind)));
  }

  /** Tells facts at once: their license is about to be deleted. */
  async tellNow(facts: readonly ToldFact[]): Promise<void> {
    if (facts.length > 0) await this.told.run(facts);
  }

  /** Tells that licenses of a tenant were issued. @param isImported as in {@link toldOfNew} */
  tellIssued(
    heard: readonly string[],
    licenses: readonly { readonly id: string; readonly source: string }[],
    isImported?: true,
  ): Promise<void> {
    return this.tellHeard(
      heard,
      licenses.map(({ id, source }) => ({ licenseId: id, ...toldOfNew(source, isImported) })),
    );
  }

  /** Tells what a change does to a license. @param isPaid false when a payment failed, and a later end only waits for it */
  tellChanged(before: ToldLicense, after: ToldLicense, isPaid = true): Promise<void> {
    const by = currentActor().kind === 'processor' ? 'payment' : 'tenant';
    return this.tell(toldOfChange(before, after, by, isPaid).map((told) => ({ licenseId: after.id, ...told })));
  }
}
