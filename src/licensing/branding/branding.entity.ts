import { Column, Entity, Index, ManyToOne, Unique, type Relation } from 'typeorm';
import { Row } from '../../common/database/index.js';
import { TenantEntity } from '../../platform/accounts/index.js';

/** How a tenant presents itself to its buyers. */
@Entity('branding')
@Unique(['tenantId'])
@Index(['logoSha256'])
export class BrandingEntity extends Row {
  @Column('uuid')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  @Column('text', { nullable: true })
  displayName!: string | null;

  @Column('text', { nullable: true })
  supportAddress!: string | null;

  /** `#rrggbb`, in lower case. */
  @Column('text', { nullable: true })
  accentColor!: string | null;

  @Column('bytea', { nullable: true, select: false })
  logo!: Buffer | null;

  @Column('text', { nullable: true })
  logoType!: string | null;

  @Column('text', { nullable: true })
  logoSha256!: string | null;
}

/** How a tenant presents itself, without the bytes of the logo. */
export type BrandingRow = Omit<BrandingEntity, 'tenant' | 'logo'>;
