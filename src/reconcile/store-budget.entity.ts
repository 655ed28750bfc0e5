import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn, type Relation } from 'typeorm';
import { NotExported } from '../common/database/index.js';
import { CredentialEntity } from '../credentials/index.js';

/** Calls made with a credential in the minute that began at `windowAt`. */
@Entity('store_budget')
@NotExported('derived')
export class StoreBudgetEntity {
  @PrimaryColumn('uuid')
  credentialId!: string;

  @OneToOne(() => CredentialEntity, { onDelete: 'CASCADE' })
  @JoinColumn()
  credential?: Relation<CredentialEntity>;

  @Column('timestamptz')
  windowAt!: Date;

  @Column('integer')
  used!: number;

  /** The store asked not to be called with the credential before this moment (`Retry-After`). */
  @Column('timestamptz', { nullable: true })
  notBefore!: Date | null;

  /** The same, for uploads only. */
  @Column('timestamptz', { nullable: true })
  uploadsNotBefore!: Date | null;

  /** The same, for all other changes. */
  @Column('timestamptz', { nullable: true })
  writesNotBefore!: Date | null;
}
