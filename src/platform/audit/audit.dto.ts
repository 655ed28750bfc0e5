import { ApiProperty, OmitType } from '@nestjs/swagger';
import {
  ChoiceField,
  EXAMPLE,
  IdField,
  NULLABLE_ID,
  NULLABLE_TEXT,
  PageQuery,
  TextField,
  TimeField,
} from '../../common/fields/index.js';

export const EXPORT_FORMATS = ['ndjson', 'csv'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Filter of a list of entries; all conditions must match. */
export class ListAudit extends PageQuery {
  @TextField({
    description: 'Only what this actor did: the id of a user, token or trust rule, or the name of a processor.',
    max: 200,
    optional: true,
    example: EXAMPLE.id,
  })
  actorId?: string;

  @TextField({ description: 'Only this action.', max: 100, optional: true, example: 'license.revoked' })
  action?: string;

  @TextField({
    description: 'Only what happened to subjects of this type.',
    max: 100,
    optional: true,
    example: 'license',
  })
  subjectType?: string;

  @IdField({ description: 'Only what happened to this subject.', optional: true })
  subjectId?: string;

  @IdField({ description: 'Only what concerns this extension, which may have been deleted.', optional: true })
  extensionId?: string;

  @TimeField({ description: 'Only from this time on.', optional: true })
  from?: string;

  @TimeField({ description: 'Only before this time.', optional: true })
  to?: string;
}

/** Filter and format of an export of entries. */
export class ExportAudit extends OmitType(ListAudit, ['limit', 'cursor']) {
  @ChoiceField({
    description: '`ndjson`: one JSON object per line, as in the list. `csv`: with a header row. Default: ndjson.',
    of: EXPORT_FORMATS,
    optional: true,
  })
  format?: ExportFormat;
}

/** The actor. */
export class AuditActor {
  @ApiProperty({ description: '`user`, `token`, `ci`, `processor` or `operator`.', example: 'user' })
  kind!: string;

  @ApiProperty({
    description: 'Id of the user, token or trust rule; for a processor and an operator, the name.',
    example: EXAMPLE.id,
  })
  id!: string;

  @ApiProperty({
    description:
      "As it was then: the user's e-mail address, the name of the token or rule, the processor, or the operator's command.",
    example: 'ann@example.com',
  })
  name!: string;

  @ApiProperty({ ...NULLABLE_TEXT, description: "The user's role then.", example: 'owner' })
  role!: string | null;

  @ApiProperty({ ...NULLABLE_ID, description: "The user's session." })
  sessionId!: string | null;
}

/** The subject of an action. */
export class AuditSubject {
  @ApiProperty({ description: 'What kind of thing it is.', example: 'license' })
  type!: string;

  @ApiProperty({ format: 'uuid', description: 'Its id.' })
  id!: string;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'Its name then, if it has one.', example: '30JCN' })
  name!: string | null;
}

/** An entry of the audit log. Entries are never changed. */
export class AuditEntry {
  @ApiProperty({ format: 'uuid', description: 'Id of the entry.' })
  id!: string;

  @ApiProperty({ description: 'When it happened.' })
  at!: Date;

  @ApiProperty({ type: AuditActor, description: 'Who acted.' })
  actor!: AuditActor;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'IP address of the request.', example: '203.0.113.7' })
  address!: string | null;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'Its country, as two letters.', example: 'CH' })
  country!: string | null;

  @ApiProperty({ description: 'What happened, machine-readable.', example: 'license.revoked' })
  action!: string;

  @ApiProperty({ type: AuditSubject, description: 'What something was done to.' })
  subject!: AuditSubject;

  @ApiProperty({ ...NULLABLE_ID, description: 'The extension that it concerns.' })
  extensionId!: string | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'The changed fields before. Never secrets, codes, or addresses of buyers.',
    example: { revokedAt: null, revokedFor: null },
  })
  before!: unknown;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'The same fields after.',
    example: { revokedAt: '2026-11-22T09:30:00.000Z', revokedFor: 'tenant' },
  })
  after!: unknown;

  @ApiProperty({ ...NULLABLE_ID, description: '`X-Request-Id` of the request, by which its log lines are found.' })
  requestId!: string | null;
}
