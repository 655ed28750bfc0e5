import { Column, Entity, ManyToOne, Unique, type Relation } from 'typeorm';
import { Audited, Exported, NotExported, Row } from '../../common/database/index.js';
import { TargetEntity } from '../target.entity.js';

/** The key that signs the packages of a target. */
@Entity('signing_key')
@Unique(['targetId'])
export class SigningKeyEntity extends Row {
  @Column('uuid')
  @Exported()
  targetId!: string;

  @ManyToOne(() => TargetEntity, { onDelete: 'CASCADE' })
  target?: Relation<TargetEntity>;

  /** PEM. */
  @Column('text')
  @Exported()
  @Audited()
  publicKey!: string;

  /** JWE of the private key in PEM, sealed for this row's id. */
  @Column('text')
  @NotExported('secret')
  sealed!: string;
}
