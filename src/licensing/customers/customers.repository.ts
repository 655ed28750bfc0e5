import { Injectable } from '@nestjs/common';
import { Transactions } from '../../common/database/index.js';
import { CODE_MAIL, END_MAIL } from '../delivery/index.js';
import type { CustomerDevice, CustomerMail } from './customers.dto.js';

/** Licenses whose devices and mails are read, and rows of each that are returned. */
const MOST = 100;

const OWN = `select id, code_hint, delivery_id from license where tenant_id = $1 and buyer_email = $2 order by id desc limit ${MOST}`;

/** What belongs to the newest licenses of a buyer. Raw SQL: each statement joins tables of several folders. */
@Injectable()
export class CustomersRepository {
  constructor(private readonly tx: Transactions) {}

  /** Lists the devices that hold a seat, the last seen first. */
  devices(tenantId: string, email: string): Promise<readonly CustomerDevice[]> {
    return this.tx.query(
      `select seat.id, label, own.id as "licenseId", code_hint as "codeHint", first_seen_at as "firstSeenAt", last_seen_at as "lastSeenAt"
         from (${OWN}) own join seat on license_id = own.id and ended_at is null
        order by last_seen_at desc, seat.id desc limit ${MOST}`,
      [tenantId, email],
    );
  }

  /** Lists the mails with the current codes and about the end of the licenses, the newest first. */
  mails(tenantId: string, email: string): Promise<readonly CustomerMail[]> {
    return this.tx.query(
      `select mail.id, wanted.kind, own.id as "licenseId", code_hint as "codeHint", state, attempts, last_error as "lastError",
              mail.created_at as "createdAt", mail.updated_at as "updatedAt"
         from (${OWN}) own
        cross join lateral (values ('code', $3, own.delivery_id), ('end', $4, own.id)) as wanted (kind, purpose, about_id)
         join mail on mail.purpose = wanted.purpose and mail.about_id = wanted.about_id
        order by mail.id desc limit ${MOST}`,
      [tenantId, email, CODE_MAIL, END_MAIL],
    );
  }
}
