import { Column, Entity, ManyToOne, Unique, type Relation } from 'typeorm';
import { Audited, Exported, Personal, Row } from '../../common/database/index.js';
import { ExtensionEntity } from '../../registry/index.js';
import type { StoreId } from '../../stores/index.js';

/** A person's decision to send a version despite a finding, and what the store made of it. */
@Entity('finding_override')
@Unique(['extensionId', 'findingId', 'version'])
export class FindingOverrideEntity extends Row {
  @Column('uuid')
  @Exported()
  extensionId!: string;

  @ManyToOne(() => ExtensionEntity, { onDelete: 'CASCADE' })
  extension?: Relation<ExtensionEntity>;

  @Column('text')
  @Exported()
  @Audited()
  store!: StoreId;

  /** The rule and the place in the package: `StoreFinding.id`. */
  @Column('text')
  @Exported()
  @Audited()
  findingId!: string;

  /** The version as stores show it. */
  @Column('text')
  @Exported()
  @Audited()
  version!: string;

  /** The person who decided: an e-mail address, or the name of a token or a CI job. */
  @Column('text', { nullable: true })
  @Exported()
  @Personal('member')
  overriddenBy: string | null = null;

  /** When the store took the version; from then on the finding holds no version of the extension. */
  @Column('timestamptz', { nullable: true })
  @Exported()
  acceptedAt: Date | null = null;
}
