import { Column, Entity, Index, ManyToOne, Unique, type Relation } from 'typeorm';
import { NotExported, Row } from '../../common/database/index.js';
import { LicenseEntity } from '../licenses/index.js';

/** A link that gives a license away once. Until then, nobody has its code: it is made when the link is used. */
@Entity('license_gift')
@NotExported('secret')
@Unique(['licenseId'])
@Unique(['tokenDigest'])
@Index('license_gift_sealed_idx', ['redeemedAt'], { where: 'sealed IS NOT NULL' })
export class LicenseGiftEntity extends Row {
  @Column('uuid')
  licenseId!: string;

  @ManyToOne(() => LicenseEntity, { onDelete: 'CASCADE' })
  license?: Relation<LicenseEntity>;

  /** SHA-256 of the link's token. */
  @Column('text')
  tokenDigest!: string;

  /** From when on the link gives nothing; null for as long as its license lasts. */
  @Column('timestamptz', { nullable: true })
  expiresAt!: Date | null;

  @Column('timestamptz', { nullable: true })
  redeemedAt!: Date | null;

  /** SHA-256 of the secret of the browser that used the link, which may see the code again for a while. */
  @Column('text', { nullable: true })
  browserDigest!: string | null;

  /** The code for that while, sealed for this row's id. */
  @Column('text', { nullable: true })
  sealed!: string | null;
}
