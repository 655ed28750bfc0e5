import { Column, Entity, Index, ManyToOne, Unique, type Relation } from 'typeorm';
import { Exported, NotExported, Personal, Row } from '../../common/database/index.js';
import { LicenseEntity } from './license.entity.js';

/** A person on a license of somebody else, with a code of their own, so that nobody else is affected when one leaves. */
@Entity('license_member')
@Unique(['codeDigest'])
@Unique(['licenseId', 'email'])
@Index(['licenseId', 'id'])
@Index(['email', 'id'])
export class LicenseMemberEntity extends Row {
  @Column('uuid')
  @Exported()
  licenseId!: string;

  @ManyToOne(() => LicenseEntity, { onDelete: 'CASCADE' })
  license?: Relation<LicenseEntity>;

  /** In lower case. */
  @Column({ type: 'text', collation: 'C' })
  @Exported()
  @Personal('buyer')
  email!: string;

  /** As `LicenseEntity.codeDigest`. */
  @Column('bytea')
  @NotExported('secret')
  codeDigest!: Buffer;

  @Column('text')
  @NotExported('secret')
  codePepper!: string;

  @Column('text')
  @Exported()
  codeHint!: string;

  /** When the code first activated a device; null until then. */
  @Column('timestamptz', { nullable: true })
  @Exported()
  joinedAt!: Date | null;
}
