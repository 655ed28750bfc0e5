import { Column, Entity, Index, ManyToOne, Unique, type Relation } from 'typeorm';
import type { Actor } from '../../common/access/index.js';
import { NotExported, Personal, Row } from '../../common/database/index.js';
import { TenantEntity } from '../../platform/accounts/index.js';
import { ExtensionEntity } from '../../registry/index.js';
import type { ProfileName } from './reading/profile.js';

/**
 * `uploading`: the file arrives. `unread`: its columns are not known. `checking`: a worker reads it and makes nothing. `ready`: waits for the start.
 * `running`: a worker makes licenses. `done`, `canceled`, `failed`: ended.
 */
export const IMPORT_STATES = [
  'uploading',
  'unread',
  'checking',
  'ready',
  'running',
  'done',
  'canceled',
  'failed',
] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

/** An import of a file of licenses, and the work lock of the worker that reads it. */
@Entity('license_import')
@NotExported('derived')
@Index(['tenantId', 'id'])
@Index(['extensionId'])
@Index(['expiresAt'])
@Index(['updatedAt'])
@Index('license_import_due_idx', ['dueAt'], { where: 'due_at IS NOT NULL' })
export class LicenseImportEntity extends Row {
  @Column('uuid')
  tenantId!: string;

  @ManyToOne(() => TenantEntity, { onDelete: 'CASCADE' })
  tenant?: Relation<TenantEntity>;

  @Column('uuid')
  extensionId!: string;

  @ManyToOne(() => ExtensionEntity, { onDelete: 'CASCADE' })
  extension?: Relation<ExtensionEntity>;

  @Column('text')
  state!: ImportState;

  /** Null for a file of no known tool. */
  @Column('text', { nullable: true })
  profile!: ProfileName | null;

  /** Of the file, in hex. */
  @Column('text')
  sha256!: string;

  /** Bytes of the file. */
  @Column('integer')
  size!: number;

  /** Lines of the file without the first. */
  @Column('integer')
  lines!: number;

  @Column('integer')
  pages!: number;

  /** The first page that the present check or run has not finished. */
  @Column('integer')
  nextPage!: number;

  /** Of the present check or run, as are the next three. */
  @Column('integer')
  created!: number;

  @Column('integer')
  existing!: number;

  @Column('integer')
  faults!: number;

  @Column('integer')
  skipped!: number;

  /** Number of codes that were made, which are kept until the import is deleted. */
  @Column('integer')
  codes!: number;

  /** In whose name the licenses are made. */
  @Column('jsonb')
  @Personal('member')
  actor!: Actor;

  /** JWE of what the file is about: its columns, products and words, how they are read, and the first faults. */
  @Column('text')
  @Personal('buyer')
  sealed!: string;

  /** When a worker has something to do; null when it has not. */
  @Column('timestamptz', { nullable: true })
  dueAt!: Date | null;

  /** Attempts in a row that failed. */
  @Column('integer')
  attempts!: number;

  /** When the import is deleted, with its file and its codes. */
  @Column('timestamptz')
  expiresAt!: Date;

  @Column('uuid', { nullable: true })
  leaseToken!: string | null;

  @Column('timestamptz', { nullable: true })
  leaseUntil!: Date | null;
}

/** Some lines of a file, and what became of them. */
@Entity('license_import_page')
@NotExported('derived')
@Unique(['importId', 'number'])
export class LicenseImportPageEntity extends Row {
  @Column('uuid')
  importId!: string;

  @ManyToOne(() => LicenseImportEntity, { onDelete: 'CASCADE' })
  import?: Relation<LicenseImportEntity>;

  /** From 0. */
  @Column('integer')
  number!: number;

  /** JWE of the lines until their licenses are made, of the faults, and of the codes that were made. */
  @Column('text')
  @Personal('buyer')
  sealed!: string;
}
