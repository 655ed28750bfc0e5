import { ApiProperty } from '@nestjs/swagger';
import { NULLABLE_INTEGER, NULLABLE_TEXT, NULLABLE_TIME } from '../common/fields/index.js';

class InstanceDatabase {
  @ApiProperty({ description: 'Version of PostgreSQL.' })
  version!: string;

  @ApiProperty({ description: 'Whether PostgreSQL runs inside the process of the service.' })
  embedded!: boolean;

  @ApiProperty({ type: [String], description: 'Migrations that have not run yet; usually none.' })
  pendingMigrations!: readonly string[];
}

class InstanceCheck {
  @ApiProperty({ description: 'What is checked: `database`, `migrations`, `keys`, `blobs` or `disk`.' })
  name!: string;

  @ApiProperty({ description: 'Whether it works now.' })
  up!: boolean;
}

class InstanceKey {
  @ApiProperty({ description: 'The setting that holds the key, such as `ENCRYPTION_KEYS`.' })
  setting!: string;

  @ApiProperty({ description: "The key's id in the setting; empty for `TOKEN_SECRET`, which is one key." })
  id!: string;

  @ApiProperty({ description: 'Whether new data is written with it.' })
  current!: boolean;

  @ApiProperty({
    description: 'Eight hexadecimal digits of a one-way digest, by which two servers show that they have the same key.',
  })
  fingerprint!: string;
}

class InstanceWaiting {
  @ApiProperty({
    ...NULLABLE_INTEGER,
    description: 'Seconds since the first target was due that no worker has taken; null when none is due.',
  })
  targetSeconds!: number | null;

  @ApiProperty({
    ...NULLABLE_INTEGER,
    description: 'Seconds since the first webhook was due that no worker has taken; null when none is due.',
  })
  deliverySeconds!: number | null;

  @ApiProperty({
    ...NULLABLE_INTEGER,
    description: 'Seconds since the first mail was due that no worker has taken; null when none is due.',
  })
  mailSeconds!: number | null;

  @ApiProperty({
    ...NULLABLE_INTEGER,
    description:
      'Seconds since the oldest payment notification arrived that waits for a plan or an address; null when none does.',
  })
  inboxSeconds!: number | null;

  @ApiProperty({
    ...NULLABLE_INTEGER,
    description:
      'Seconds since the oldest day ended whose pings are not all in the figures; null when only today is open. Up to 600 is usual.',
  })
  rollUpSeconds!: number | null;
}

class InstanceMail {
  @ApiProperty({ description: 'Whether `SMTP_URL` is set.' })
  configured!: boolean;

  @ApiProperty({
    ...NULLABLE_TIME,
    description: 'When the mail server last took a mail; null when it took none within 30 days.',
  })
  lastSentAt!: Date | null;

  @ApiProperty({ ...NULLABLE_TIME, description: 'When a mail last failed; null when none did within 30 days.' })
  lastFailedAt!: Date | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'Why it failed, as a code such as `ECONNECTION`.' })
  lastError!: string | null;
}

class InstanceStorage {
  @ApiProperty({ enum: ['folder', 'bucket'], description: 'Where packages are kept.' })
  kind!: 'folder' | 'bucket';

  @ApiProperty({ description: 'Bytes that are free on the disk of `DATA_DIR`, where uploads arrive.' })
  freeBytes!: number;
}

/** How this instance fares. */
export class Instance {
  @ApiProperty({ description: "Pierhead's version." })
  version!: string;

  @ApiProperty({ description: 'Version of Node.js, such as `v24.1.0`.' })
  node!: string;

  @ApiProperty({ type: InstanceDatabase, description: 'The database.' })
  database!: InstanceDatabase;

  @ApiProperty({ type: [InstanceCheck], description: 'What `GET /health/ready` checks, at this process.' })
  checks!: readonly InstanceCheck[];

  @ApiProperty({ type: [InstanceKey], description: 'The keys of this process, never what they consist of.' })
  keys!: readonly InstanceKey[];

  @ApiProperty({ type: InstanceWaiting, description: 'For how long the oldest of each kind of work waits.' })
  waiting!: InstanceWaiting;

  @ApiProperty({ type: InstanceMail, description: 'The mail server.' })
  mail!: InstanceMail;

  @ApiProperty({ type: InstanceStorage, description: 'Packages and the disk.' })
  storage!: InstanceStorage;

  @ApiProperty({
    description:
      'All of this as plain text for a bug report, without fingerprints, addresses, secrets or names of tenants.',
  })
  report!: string;
}

/** A tenant as operators see it. */
export class InstanceTenant {
  @ApiProperty({ format: 'uuid', description: 'Id of the tenant.' })
  id!: string;

  @ApiProperty({ description: 'Name of the tenant.' })
  name!: string;

  @ApiProperty({ description: 'One of TENANT_PLANS.' })
  plan!: string;

  @ApiProperty({ type: 'integer', description: 'How many extensions the tenant has.' })
  extensions!: number;

  @ApiProperty({ type: 'integer', description: 'How many members the tenant has.' })
  members!: number;

  @ApiProperty({ description: "Bytes of the tenant's packages and sources, each content once." })
  storedBytes!: number;

  @ApiProperty({
    ...NULLABLE_TIME,
    description: 'When somebody or something last changed something for the tenant, or used an access token.',
  })
  lastActiveAt!: Date | null;

  @ApiProperty({ description: 'When the tenant was created.' })
  createdAt!: Date;
}
