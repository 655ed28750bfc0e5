import { Column, Entity, Index, ManyToOne, PrimaryColumn, type Relation } from 'typeorm';
import { NotExported } from '../../common/database/index.js';
import { LicenseMemberEntity } from './license-member.entity.js';
import { LicenseEntity } from './license.entity.js';

/** A code that a license, or one of its members, had before it was replaced. */
@Entity('former_code')
@NotExported('secret')
@Index(['licenseId'])
@Index('former_code_member_id_idx', ['memberId'], { where: 'member_id IS NOT NULL' })
export class FormerCodeEntity {
  /** As `LicenseEntity.codeDigest`. */
  @PrimaryColumn('bytea')
  codeDigest!: Buffer;

  @PrimaryColumn('uuid')
  licenseId!: string;

  @ManyToOne(() => LicenseEntity, { onDelete: 'CASCADE' })
  license?: Relation<LicenseEntity>;

  /** Null for a code of the license itself. */
  @Column('uuid', { nullable: true })
  memberId!: string | null;

  @ManyToOne(() => LicenseMemberEntity, { onDelete: 'CASCADE' })
  member?: Relation<LicenseMemberEntity>;

  @Column('timestamptz')
  replacedAt!: Date;
}
