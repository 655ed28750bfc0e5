import { Column, Entity, Index, JoinColumn, ManyToOne, Unique, type Relation } from 'typeorm';
import { Row } from '../../common/database/index.js';
import { LicenseEntity } from '../licenses/license.entity.js';
import { ExtensionEntity } from '../../registry/index.js';

/** A code that its buyer's browser may fetch once. The row goes when it does, when its time is over, or when the code is replaced. */
@Entity('code_claim')
@Unique(['licenseId'])
@Unique(['extensionId', 'tokenDigest'])
@Index(['expiresAt'])
export class CodeClaimEntity extends Row {
  @Column('uuid')
  licenseId!: string;

  @ManyToOne(() => LicenseEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'license_id' })
  license?: Relation<LicenseEntity>;

  @Column('uuid')
  extensionId!: string;

  @ManyToOne(() => ExtensionEntity, { onDelete: 'CASCADE' })
  @JoinColumn({ name: 'extension_id' })
  extension?: Relation<ExtensionEntity>;

  /** SHA-256 of the token; null as long as no notification has named one. */
  @Column('text', { nullable: true })
  tokenDigest!: string | null;

  /** JWE of the code, sealed for this row's id. */
  @Column('text')
  sealed!: string;

  @Column('timestamptz')
  expiresAt!: Date;
}
