import { Column, Entity, Index, ManyToOne, Unique, type Relation } from 'typeorm';
import { Audited, Exported, NotExported, Row } from '../../common/database/index.js';
import { TenantEntity } from '../../platform/accounts/index.js';

/** Branding of a tenant for its buyers. */
@Entity('branding')
@Unique(['tenantId'])
@Index(['logoSha256'])
export class BrandingEntity extends Row {
  @Column('uuid')
  @NotExported('owner')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  @Column('text', { nullable: true })
  @Exported()
  @Audited()
  displayName!: string | null;

  @Column('text', { nullable: true })
  @Exported()
  @Audited()
  supportAddress!: string | null;

  /** `#rrggbb`, in lower case. */
  @Column('text', { nullable: true })
  @Exported()
  @Audited()
  accentColor!: string | null;

  @Column('text', { nullable: true })
  @Exported()
  logoType!: string | null;

  @Column('text', { nullable: true })
  @Exported()
  @Audited()
  logoSha256!: string | null;

  @Column('bytea', { nullable: true, select: false })
  @Exported({ query: (row) => `translate(encode(${row}.logo, 'base64'), chr(10), '')` })
  logo!: Buffer | null;
}

/** Branding of a tenant, without the bytes of the logo. */
export type BrandingRow = Omit<BrandingEntity, 'tenant' | 'logo'>;
