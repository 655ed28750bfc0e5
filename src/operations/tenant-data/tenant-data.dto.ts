import { ApiProperty } from '@nestjs/swagger';
import { NULLABLE_SHA256, NULLABLE_TEXT, TextField } from '../../common/fields/index.js';
import { PasswordField } from '../../platform/accounts/index.js';
import { EXPORT_STATES, type ExportState } from './exports/tenant-export.entity.js';

/** An archive of all data of a tenant. */
export class TenantExport {
  @ApiProperty({ format: 'uuid', description: 'Id of the export.' })
  id!: string;

  @ApiProperty({
    enum: EXPORT_STATES,
    description: '`pending`: it is being made. `ready`: it can be downloaded. `failed`: request a new one.',
  })
  state!: ExportState;

  @ApiProperty({ description: 'E-mail address of the user who requested it.', example: 'ada@example.com' })
  requestedBy!: string;

  @ApiProperty({ type: Number, nullable: true, description: 'Bytes of the archive; null until it is ready.' })
  size!: number | null;

  @ApiProperty({ ...NULLABLE_SHA256, description: 'SHA-256 of the archive, hex; null until it is ready.' })
  sha256!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Where a logged-in owner downloads it; null until it is ready.',
    example: 'https://pierhead.example/api/v1/tenant/exports/01999999-0000-7000-8000-000000000000/download',
  })
  url!: string | null;

  @ApiProperty({ description: 'When it was requested.' })
  createdAt!: Date;

  @ApiProperty({ description: 'When it is deleted: 24 hours after it was made.' })
  expiresAt!: Date;
}

/** Confirms that a tenant should be deleted. */
export class RequestDeletion {
  @PasswordField("The user's password. Omit it for a user who has none.", { optional: true })
  password?: string;

  @TextField({ description: 'The name of the tenant, typed to confirm.', max: 200, example: 'Ada Extensions' })
  tenantName!: string;
}

/** The scheduled deletion of a tenant. */
export class TenantDeletion {
  @ApiProperty({ description: 'When everything is deleted: 7 days after the request. Until then it can be canceled.' })
  deletesAt!: Date;

  @ApiProperty({ description: 'E-mail address of the owner who requested it.', example: 'ada@example.com' })
  requestedBy!: string;

  @ApiProperty({ description: 'When it was requested.' })
  createdAt!: Date;
}
