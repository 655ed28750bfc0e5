import { Column, Entity, ManyToOne, PrimaryColumn, Unique, type Relation } from 'typeorm';
import { NotExported } from '../../common/database/index.js';
import { LicenseEntity } from './license.entity.js';

/**
 * A code of a license that works on one device alone, besides the license's own, which nobody can look up again. It is replaced, revoked and erased
 * with that.
 */
@Entity('device_code')
@NotExported('secret')
@Unique(['licenseId', 'fingerprintDigest'])
export class DeviceCodeEntity {
  /** As `LicenseEntity.codeDigest`. */
  @PrimaryColumn('bytea')
  codeDigest!: Buffer;

  @Column('uuid')
  licenseId!: string;

  @ManyToOne(() => LicenseEntity, { onDelete: 'CASCADE' })
  license?: Relation<LicenseEntity>;

  /** SHA-256 of extension and fingerprint. */
  @Column('bytea')
  fingerprintDigest!: Buffer;

  @Column('text')
  codePepper!: string;

  @Column('timestamptz')
  createdAt!: Date;
}
