import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
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
  id!: string;

  @Column('uuid')
  tenantId!: string;

  @Column('timestamptz')
  at!: Date;

  @Column('text')
  actorKind!: Actor['kind'];

  /** The id of a user, a token or a rule; for others their name. */
  @Column('text')
  actorId!: string;

  /** As it was then: the user's address, the name of the token or rule. */
  @Column('text')
  actorName!: string;

  @Column('text', { nullable: true })
  actorRole!: string | null;

  @Column('uuid', { nullable: true })
  sessionId!: string | null;

  @Column('text', { nullable: true })
  address!: string | null;

  /** Two letters. */
  @Column('text', { nullable: true })
  country!: string | null;

  @Column('text')
  action!: string;

  @Column('text')
  subjectType!: SubjectType;

  @Column('uuid')
  subjectId!: string;

  @Column('text', { nullable: true })
  subjectName!: string | null;

  @Column('uuid', { nullable: true })
  extensionId!: string | null;

  @Column('jsonb', { nullable: true })
  before!: Fields | null;

  @Column('jsonb', { nullable: true })
  after!: Fields | null;

  @Column('uuid', { nullable: true })
  requestId!: string | null;
}
