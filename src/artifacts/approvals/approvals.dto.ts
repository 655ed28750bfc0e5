import { ApiProperty } from '@nestjs/swagger';
import type { CiOrigin } from '../../common/access/index.js';
import {
  ChoiceField,
  IdField,
  NULLABLE_ID,
  NULLABLE_SHA256,
  NULLABLE_TEXT,
  NULLABLE_TIME,
  NULLABLE_VERSION,
  PageQuery,
  TextField,
} from '../../common/fields/index.js';
import { STORE_IDS, type StoreId } from '../../stores/index.js';
import { APPROVAL_ACTS, APPROVAL_STATES, type ApprovalAct, type ApprovalState } from './approval.entity.js';

const MAX_REASON = 1000;

/** Filter of a list of approvals. */
export class ListApprovals extends PageQuery {
  @ChoiceField({
    description: 'Only approvals in this state; the waiting ones when absent.',
    of: [...APPROVAL_STATES, 'decided', 'all'],
    optional: true,
  })
  state?: ApprovalState | 'decided' | 'all';

  @IdField({ description: 'Only those of this extension.', optional: true })
  extension?: string;
}

/** Why a version is not to be sent. */
export class RejectApproval {
  @TextField({
    description: 'Why. The pusher is told, and the timeline shows it.',
    max: MAX_REASON,
    example: 'It asks for all sites.',
  })
  reason!: string;
}

/** Where a CI job comes from, by the signed claims of its token. */
export class CiOriginView implements CiOrigin {
  @ApiProperty({ description: 'Owner and name, or path, in lower case.', example: 'acme/tab-counter' })
  repository!: string;

  @ApiProperty({ ...NULLABLE_TEXT, description: 'The full ref.', example: 'refs/tags/v1.4.0' })
  ref!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'The full hash of the commit.',
    example: '8f3a1c5e0b2d4f6a7c9e1d3b5f7a9c0e2d4b6f81',
  })
  commit!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'The file of the workflow, with its repository and ref.',
    example: 'acme/tab-counter/.github/workflows/release.yml@refs/tags/v1.4.0',
  })
  workflow!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'The page of the run; null at a service whose addresses are not known.',
    example: 'https://github.com/acme/tab-counter/actions/runs/2468',
  })
  runUrl!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'The page of the commit; null at a service whose addresses are not known.',
    example: 'https://github.com/acme/tab-counter/commit/8f3a1c5e0b2d4f6a7c9e1d3b5f7a9c0e2d4b6f81',
  })
  commitUrl!: string | null;
}

/** A request to send a version to stores, and the decision about it. */
export class Approval {
  @ApiProperty({ format: 'uuid', description: 'Id of the approval.' })
  id!: string;

  @ApiProperty({ format: 'uuid', description: 'Id of the extension.' })
  extensionId!: string;

  @ApiProperty({ format: 'uuid', description: 'Id of the artifact whose content may be sent once it is approved.' })
  artifactId!: string;

  @ApiProperty({
    ...NULLABLE_ID,
    description: 'The one target that it is about; null for every one that gets the artifact.',
  })
  targetId!: string | null;

  @ApiProperty({
    enum: APPROVAL_ACTS,
    description:
      'What waits. push: a version; pin: one that was pushed before; rollback: an older version under a new number; resubmit: a version whose review ended; enable: the pinned version, at a target that was enabled or moved.',
  })
  act!: ApprovalAct;

  @ApiProperty({ description: 'The version.', example: '1.4.0' })
  version!: string;

  @ApiProperty({
    enum: [...STORE_IDS, null],
    type: String,
    nullable: true,
    description: 'The one store it is for; null for every target.',
  })
  store!: StoreId | null;

  @ApiProperty({ ...NULLABLE_SHA256, description: 'SHA-256 of the package, in hex; null for a version without one.' })
  sha256!: string | null;

  @ApiProperty({
    ...NULLABLE_VERSION,
    description: 'The older version that a roll back publishes again; null for any other act.',
  })
  rollbackOf!: string | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Who asked: an e-mail address, or the name of a token or a CI job; null when not known.',
    example: 'ann@author.example',
  })
  requestedBy!: string | null;

  @ApiProperty({
    type: CiOriginView,
    nullable: true,
    description: 'Where the CI job came from that asked; null where none did.',
  })
  requestedFrom!: CiOriginView | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'The commit that the push names. It is not signed; `requestedFrom.commit` is.',
    example: '8f3a1c5e0b2d4f6a7c9e1d3b5f7a9c0e2d4b6f81',
  })
  commit!: string | null;

  @ApiProperty({
    enum: APPROVAL_STATES,
    description: 'withdrawn: other content or another version was pinned, or approvals are no longer required.',
  })
  state!: ApprovalState;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Who decided: an e-mail address; null until then.',
    example: 'bob@author.example',
  })
  decidedBy!: string | null;

  @ApiProperty({ ...NULLABLE_TIME, description: 'When it was decided.' })
  decidedAt!: Date | null;

  @ApiProperty({
    ...NULLABLE_TEXT,
    description: 'Why it was rejected; null otherwise.',
    example: 'It asks for all sites.',
  })
  reason!: string | null;

  @ApiProperty({ description: 'Whether the caller is a person who may decide about it now.' })
  isYours!: boolean;

  @ApiProperty({ description: 'When it was asked for.' })
  createdAt!: Date;

  @ApiProperty({ description: 'When it last changed.' })
  updatedAt!: Date;
}
