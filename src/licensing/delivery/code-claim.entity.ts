import { Column, Entity, Index, ManyToOne, Unique, type Relation } from 'typeorm';
import { NotExported, Row } from '../../common/database/index.js';
import { LicenseEntity } from '../licenses/index.js';
import { ExtensionEntity } from '../../registry/index.js';

/**
 * A code that the seller's page may claim once, or the device that bought or was restored as often as it asks. The row is deleted when the page has
 * claimed it, when it expires, and when the code is replaced.
 */
@Entity('code_claim')
@NotExported('secret')
@Unique(['extensionId', 'tokenDigest'])
@Index(['licenseId'])
@Index(['expiresAt'])
export class CodeClaimEntity extends Row {
  @Column('uuid')
  licenseId!: string;

  @ManyToOne(() => LicenseEntity, { onDelete: 'CASCADE' })
  license?: Relation<LicenseEntity>;

  @Column('uuid')
  extensionId!: string;

  @ManyToOne(() => ExtensionEntity, { onDelete: 'CASCADE' })
  extension?: Relation<ExtensionEntity>;

  /** SHA-256 of the claim token; null until a notification carries one. */
  @Column('text', { nullable: true })
  tokenDigest!: string | null;

  /** The code, sealed for this row's id; null for one of the device's own, until the device claims it. */
  @Column('text', { nullable: true })
  sealed!: string | null;

  @Column('timestamptz')
  expiresAt!: Date;
}
