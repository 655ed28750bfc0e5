import { ApiProperty } from '@nestjs/swagger';
import { NULLABLE_INTEGER, NULLABLE_TEXT, NULLABLE_TIME } from '../../common/fields/index.js';
import { ServiceBuild } from '../../platform/accounts/index.js';

class InstanceDatabase {
  @ApiProperty({ description: 'Version of PostgreSQL.', example: '17.6' })
  version!: string;

  @ApiProperty({ description: 'Whether PostgreSQL runs inside the process of the service.' })
  embedded!: boolean;

  @ApiProperty({ type: [String], description: 'Migrations that have not run yet; usually none.', example: [] })
  pendingMigrations!: readonly string[];
}

class InstanceCheck {
  @ApiProperty({
    description: 'What is checked: `database`, `migrations`, `keys`, `blobs` or `disk`.',
    example: 'database',
  })
  name!: string;

  @ApiProperty({ description: 'Whether it works now.' })
  up!: boolean;
}

class InstanceKey {
  @ApiProperty({ description: 'The setting that holds the key.', example: 'ENCRYPTION_KEYS' })
  setting!: string;

  @ApiProperty({
    description: "The key's id in the setting; empty for `TOKEN_SECRET`, which is one key.",
    example: 'k1',
  })
  id!: string;

  @ApiProperty({ description: 'Whether new data is written with it.' })
  current!: boolean;

  @ApiProperty({
    description: 'First eight hexadecimal digits of a one-way digest, to compare the keys of two servers.',
    example: '5f0c9a3e',
  })
  fingerprint!: string;
}

class InstanceWaiting {
  @ApiProperty({
    ...NULLABLE_INTEGER,
    description: 'Seconds that the oldest due target has waited for a worker; null when none is due.',
  })
  targetSeconds!: number | null;

  @ApiProperty({
    ...NULLABLE_INTEGER,
    description: 'Seconds that the oldest due webhook has waited for a worker; null when none is due.',
  })
  deliverySeconds!: number | null;

  @ApiProperty({
    ...NULLABLE_INTEGER,
    description: 'Seconds that the oldest due mail has waited for a worker; null when none is due.',
  })
  mailSeconds!: number | null;

  @ApiProperty({
    ...NULLABLE_INTEGER,
    description:
      'Seconds that the oldest payment notification has waited for a plan or an address; null when none waits.',
  })
  inboxSeconds!: number | null;

  @ApiProperty({
    ...NULLABLE_INTEGER,
    description:
      'Seconds since the end of the oldest day whose pings are not yet fully counted; null when only today is open. Up to 600 is normal.',
  })
  rollUpSeconds!: number | null;
}

class InstanceMail {
  @ApiProperty({ description: 'Whether `SMTP_URL` is set.' })
  configured!: boolean;

  @ApiProperty({
    ...NULLABLE_TIME,
    description: 'When the mail server last accepted a mail; null when it accepted none in the last 30 days.',
  })
  lastSentAt!: Date | null;

  @ApiProperty({ ...NULLABLE_TIME, description: 'When a mail last failed; null when none failed in the last 30 days.' })
  lastFailedAt!: Date | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'Why it failed, as a code such as `ECONNECTION`.' })
  lastError!: string | null;
}

class InstanceStorage {
  @ApiProperty({ enum: ['folder', 'bucket'], description: 'Where packages are stored.' })
  kind!: 'folder' | 'bucket';

  @ApiProperty({ description: 'Bytes that are free on the disk of `DATA_DIR`, where uploads arrive.' })
  freeBytes!: number;
}

class InstanceBackup {
  @ApiProperty({
    type: String,
    enum: ['succeeded', 'failed', null],
    nullable: true,
    description: 'How it ended. Before the first backup, this and all other fields are null.',
  })
  outcome!: 'succeeded' | 'failed' | null;

  @ApiProperty({ ...NULLABLE_TIME, description: 'When it began.' })
  startedAt!: Date | null;

  @ApiProperty({ ...NULLABLE_TIME, description: 'When it ended.' })
  finishedAt!: Date | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Name of the file; null when it failed.',
    example: 'pierhead-20261122T030000000Z.zip.age',
  })
  name!: string | null;

  @ApiProperty({ ...NULLABLE_INTEGER, description: 'Size of the file in bytes; null when it failed.' })
  sizeBytes!: number | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'Why it failed, in a sentence; null when it succeeded.' })
  error!: string | null;
}

class InstanceBackups {
  @ApiProperty({ ...NULLABLE_INTEGER, description: '`BACKUP_EVERY_HOURS`; null when backups are not scheduled.' })
  everyHours!: number | null;

  @ApiProperty({ ...NULLABLE_TIME, description: 'When the next one is due; null when none is.' })
  nextAt!: Date | null;

  @ApiProperty({ ...NULLABLE_TIME, description: 'When one last succeeded; null when none has.' })
  lastSucceededAt!: Date | null;

  @ApiProperty({
    description:
      'Whether no backup has succeeded for a day, or for `BACKUP_EVERY_HOURS` plus one hour if that is longer.',
  })
  overdue!: boolean;
}

/** The status of this instance. */
export class Instance extends ServiceBuild {
  @ApiProperty({ description: 'Version of Node.js.', example: 'v24.11.0' })
  node!: string;

  @ApiProperty({ type: InstanceDatabase, description: 'The database.' })
  database!: InstanceDatabase;

  @ApiProperty({ type: [InstanceCheck], description: 'What `GET /health/ready` checks, in this process.' })
  checks!: readonly InstanceCheck[];

  @ApiProperty({ type: [InstanceKey], description: 'The keys of this process, without their values.' })
  keys!: readonly InstanceKey[];

  @ApiProperty({ type: InstanceWaiting, description: 'How long the oldest due work of each kind has waited.' })
  waiting!: InstanceWaiting;

  @ApiProperty({ type: InstanceMail, description: 'The mail server.' })
  mail!: InstanceMail;

  @ApiProperty({ type: InstanceStorage, description: 'Packages and the disk.' })
  storage!: InstanceStorage;

  @ApiProperty({ type: InstanceBackups, description: 'The schedule of the backups.' })
  backups!: InstanceBackups;

  @ApiProperty({
    type: InstanceBackup,
    description: 'The last backup that ended, scheduled or made by the command `backup`.',
  })
  lastBackup!: InstanceBackup;

  @ApiProperty({
    description:
      'All of this as plain text for a bug report, without fingerprints, addresses, secrets or names of tenants.',
    example: 'Pierhead: 1.2.0\nNode.js: v24.11.0 on linux x64\nPostgreSQL: 17.6, on a server\n',
  })
  report!: string;
}

/** A tenant as operators see it. */
export class InstanceTenant {
  @ApiProperty({ format: 'uuid', description: 'Id of the tenant.' })
  id!: string;

  @ApiProperty({ description: 'Name of the tenant.', example: 'Studio Ann' })
  name!: string;

  @ApiProperty({ description: 'One of TENANT_QUOTAS.', example: 'standard' })
  quota!: string;

  @ApiProperty({ description: 'The former name of `quota`.', deprecated: true, example: 'standard' })
  plan!: string;

  @ApiProperty({ type: 'integer', description: 'How many extensions the tenant has.' })
  extensions!: number;

  @ApiProperty({ type: 'integer', description: 'How many members the tenant has.' })
  members!: number;

  @ApiProperty({ description: "Bytes of the tenant's packages and sources, each content once." })
  storedBytes!: number;

  @ApiProperty({
    ...NULLABLE_TIME,
    description: 'When the tenant was last changed, or one of its access tokens last used.',
  })
  lastActiveAt!: Date | null;

  @ApiProperty({ description: 'When the tenant was created.' })
  createdAt!: Date;
}
