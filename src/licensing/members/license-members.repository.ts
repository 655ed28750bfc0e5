import { Injectable } from '@nestjs/common';
import { In, type Repository } from 'typeorm';
import { selectList, Transactions } from '../../common/database/index.js';
import type { PageStart } from '../../common/fields/index.js';
import { LicenseMemberEntity } from '../licenses/index.js';

const LISTED_COLUMNS = ['id', 'email', 'codeHint', 'joinedAt', 'createdAt', 'updatedAt'] as const;

/** A member with the number of devices that the member's code seats. */
export interface ListedMember extends Pick<LicenseMemberEntity, (typeof LISTED_COLUMNS)[number]> {
  readonly devices: number;
}

const LISTED = `
  select ${selectList('license_member', LISTED_COLUMNS)},
         (select count(*)::int from seat where member_id = license_member.id and ended_at is null) as devices
    from license_member`;

/** The members of licenses. The caller locks the license before it changes them. */
@Injectable()
export class LicenseMembersRepository {
  constructor(private readonly tx: Transactions) {}

  async insert(member: LicenseMemberEntity): Promise<void> {
    await this.rows.insert(member);
  }

  count(licenseId: string): Promise<number> {
    return this.rows.countBy({ licenseId });
  }

  /** Lists a license's members: one row more than the page holds, newest first. Raw SQL: one statement for members and seats. */
  list(licenseId: string, { limit, after }: PageStart): Promise<readonly ListedMember[]> {
    return this.tx.query(`${LISTED} where license_id = $1 and id < $2 order by id desc limit $3`, [
      licenseId,
      after,
      limit + 1,
    ]);
  }

  /** Lists the members of several licenses, and those with an address wherever they are, the earliest first. */
  listOf(licenseIds: readonly string[], email = ''): Promise<readonly LicenseMemberEntity[]> {
    return this.rows.find({ where: [{ licenseId: In([...licenseIds]) }, { email }], order: { id: 'ASC' } });
  }

  /** The ids of two of the tenants, or of the only one, whose licenses an address has, as buyer or member. Raw SQL: distinct. */
  async sellersOf(email: string): Promise<readonly string[]> {
    const rows = await this.tx.query<{ readonly tenantId: string }>(
      `select distinct tenant_id as "tenantId" from (
         select tenant_id from license where buyer_email = $1
          union all select tenant_id from license_member join license on license.id = license_id where email = $1
       ) as own limit 2`,
      [email],
    );
    return rows.map(({ tenantId }) => tenantId);
  }

  /** Those of the addresses that have no license, as buyer or member, besides one. Raw SQL: one statement for a whole team. */
  async withoutLicense(emails: readonly string[], exceptId: string): Promise<readonly string[]> {
    const rows = await this.tx.query<{ readonly email: string }>(
      `select email from unnest($1::text[]) as asked (email)
        where not exists (select from license where buyer_email = asked.email collate "C" and id <> $2)
          and not exists (select from license_member where email = asked.email collate "C" and license_id <> $2)`,
      [emails, exceptId],
    );
    return rows.map(({ email }) => email);
  }

  find(licenseId: string, id: string): Promise<LicenseMemberEntity | null> {
    return this.rows.findOneBy({ licenseId, id });
  }

  findByEmail(licenseId: string, email: string): Promise<LicenseMemberEntity | null> {
    return this.rows.findOne({ where: { licenseId, email }, relations: { license: true } });
  }

  /** Reads a member as it is listed; null when the license has no such member. */
  async findListed(licenseId: string, id: string): Promise<ListedMember | null> {
    const [row = null] = await this.tx.query<ListedMember>(`${LISTED} where license_id = $1 and id = $2`, [
      licenseId,
      id,
    ]);
    return row;
  }

  async change(member: LicenseMemberEntity, change: Partial<LicenseMemberEntity>): Promise<void> {
    await this.rows.update({ id: member.id }, change);
    Object.assign(member, change);
  }

  async delete(id: string): Promise<void> {
    await this.rows.delete({ id });
  }

  private get rows(): Repository<LicenseMemberEntity> {
    return this.tx.repository(LicenseMemberEntity);
  }
}
