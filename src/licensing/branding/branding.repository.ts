import { Injectable } from '@nestjs/common';
import { In, type Repository } from 'typeorm';
import { newRow, Transactions } from '../../common/database/index.js';
import { TenantEntity } from '../../platform/accounts/index.js';
import { BrandingEntity, type BrandingRow } from './branding.entity.js';

/** Columns that a change of branding sets; the logo only where it changes. */
export type BrandingChange = Omit<BrandingRow, 'id' | 'createdAt' | 'tenantId'> & Partial<Pick<BrandingEntity, 'logo'>>;

/** Branding of tenants for buyers. */
@Injectable()
export class BrandingRepository {
  constructor(private readonly tx: Transactions) {}

  /** Finds the branding of a tenant; an empty one, as old as the tenant, until something is set. */
  async find(tenantId: string): Promise<BrandingRow> {
    return (await this.rows.findOneBy({ tenantId })) ?? this.empty(tenantId);
  }

  /** Finds the branding of a tenant, inserting an empty one if there is none, and locks it until the transaction ends. */
  async findForUpdate(tenantId: string): Promise<BrandingRow> {
    const row = await this.empty(tenantId);
    await this.rows
      .createQueryBuilder()
      .insert()
      .values({ ...row, logo: null })
      .orIgnore()
      .execute();
    return this.rows.findOneOrFail({ where: { tenantId }, lock: { mode: 'pessimistic_write' } });
  }

  /** Finds the branding of those tenants that have set anything. */
  findOf(tenantIds: readonly string[]): Promise<readonly BrandingRow[]> {
    return this.rows.findBy({ tenantId: In([...tenantIds]) });
  }

  async update(id: string, change: BrandingChange): Promise<void> {
    await this.rows.update({ id }, change);
  }

  /** Finds a logo that a tenant uses now. */
  async findLogo(logoSha256: string): Promise<{ readonly type: string; readonly bytes: Buffer } | null> {
    const row = await this.rows.findOne({ where: { logoSha256 }, select: { id: true, logo: true, logoType: true } });
    return row?.logo == null || row.logoType === null ? null : { type: row.logoType, bytes: row.logo };
  }

  /** Returns the id of the only tenant; null when there are several or none. */
  async onlyTenant(): Promise<string | null> {
    const [first, second] = await this.tx.repository(TenantEntity).find({ select: { id: true }, take: 2 });
    return first !== undefined && second === undefined ? first.id : null;
  }

  private async empty(tenantId: string): Promise<BrandingRow> {
    const { createdAt } = await this.tx.repository(TenantEntity).findOneByOrFail({ id: tenantId });
    return {
      ...newRow(createdAt),
      tenantId,
      displayName: null,
      supportAddress: null,
      accentColor: null,
      logoType: null,
      logoSha256: null,
    };
  }

  private get rows(): Repository<BrandingEntity> {
    return this.tx.repository(BrandingEntity);
  }
}
