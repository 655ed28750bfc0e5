import { Column, Entity, Index, ManyToOne, Unique, type Relation } from 'typeorm';
import { NotExported, Row } from '../../common/database/index.js';
import { LicenseEntity } from '../licenses/index.js';

/** The link by which people join a license, at most one at a time. */
@Entity('team_link')
@NotExported('secret')
@Unique(['licenseId'])
@Unique(['secretDigest'])
@Index(['expiresAt'])
export class TeamLinkEntity extends Row {
  @Column('uuid')
  licenseId!: string;

  @ManyToOne(() => LicenseEntity, { onDelete: 'CASCADE' })
  license?: Relation<LicenseEntity>;

  /** SHA-256 of the secret. */
  @Column('text')
  secretDigest!: string;

  @Column('timestamptz')
  expiresAt!: Date;
}
