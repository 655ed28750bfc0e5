import { Column, Entity, Index, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { NotExported } from '../../common/database/index.js';
import { LicenseEntity } from './license.entity.js';

/** A code that a license had before it was replaced. */
@Entity('former_code')
@NotExported('secret')
@Index(['licenseId'])
export class FormerCodeEntity {
  /** As `LicenseEntity.codeDigest`. */
  @PrimaryColumn('bytea')
  codeDigest!: Buffer;

  @PrimaryColumn('uuid')
  licenseId!: string;

  @ManyToOne(() => LicenseEntity, { onDelete: 'CASCADE' })
  license?: Relation<LicenseEntity>;

  @Column('timestamptz')
  replacedAt!: Date;
}
