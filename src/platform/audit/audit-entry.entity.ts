import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { Exported, NotExported, Personal } from '../../common/database/index.js';
import type { Actor } from '../../common/access/index.js';
import type { Fields } from './changes.js';
import type { SubjectType } from './subjects.js';

/**
 * An entry of the audit log. A trigger refuses to change it, or to delete it before its retention has ended. It has no foreign keys, since it
 * outlives what it is about.
 */
@Entity('audit_entry')
@Index(['tenantId', 'id'])
@Index(['tenantId', 'actorId', 'id'])
@Index(['tenantId', 'action', 'id'])
@Index(['tenantId', 'subjectType', 'id'])
@Index(['tenantId', 'subjectId', 'id'])
@Index('audit_entry_tenant_id_extension_id_id_idx', ['tenantId', 'extensionId', 'id'], {
  where: 'extension_id IS NOT NULL',
})
export class AuditEntryEntity {
  /** A UUIDv7 of `at`. */
  @PrimaryColumn('uuid')
  @Exported()
  id!: string;

  @Column('uuid')
  @NotExported('owner')
  tenantId!: string;

  @Column('timestamptz')
  @Exported()
  at!: Date;

  @Column('text')
  @Exported()
  actorKind!: Actor['kind'];

  /** The id of a user, a token or a rule; for others their name. */
  @Column('text')
  @Exported()
  actorId!: string;

  /** As it was then: the user's address, the name of the token or rule. */
  @Column('text')
  @Exported()
  @Personal('member')
  actorName!: string;

  @Column('text', { nullable: true })
  @Exported()
  actorRole!: string | null;

  @Column('uuid', { nullable: true })
  @Exported()
  sessionId!: string | null;

  @Column('text', { nullable: true })
  @Exported()
  @Personal('member')
  address!: string | null;

  /** Two letters. */
  @Column('text', { nullable: true })
  @Exported()
  @Personal('member')
  country!: string | null;

  @Column('text')
  @Exported()
  action!: string;

  @Column('text')
  @Exported()
  subjectType!: SubjectType;

  @Column('uuid')
  @Exported()
  subjectId!: string;

  @Column('text', { nullable: true })
  @Exported()
  @Personal('member')
  subjectName!: string | null;

  @Column('uuid', { nullable: true })
  @Exported()
  extensionId!: string | null;

  @Column('jsonb', { nullable: true })
  @Exported()
  @Personal('member')
  before!: Fields | null;

  @Column('jsonb', { nullable: true })
  @Exported()
  @Personal('member')
  after!: Fields | null;

  @Column('uuid', { nullable: true })
  @Exported()
  requestId!: string | null;
}
