import { ApiProperty } from '@nestjs/swagger';
import { RESOURCES, type Resource } from './changes.js';

/** The data of an event `change`. */
export class StreamedChange {
  @ApiProperty({
    enum: Object.keys(RESOURCES),
    description: 'The collection that changed, as the routes name it. Read what you show of it again.',
  })
  resource!: Resource;

  @ApiProperty({ format: 'uuid', required: false, description: 'Id of the extension, where it belongs to one.' })
  extensionId?: string;

  @ApiProperty({ format: 'uuid', required: false, description: 'Id of the member that changed, where it is one.' })
  id?: string;
}

/** Why a stream ended. */
export const END_REASONS = ['unauthenticated', 'stopping', 'interrupted'] as const;
export type EndReason = (typeof END_REASONS)[number];

/** The data of an event `end`, the last one of a stream. */
export class StreamEnd {
  @ApiProperty({
    enum: END_REASONS,
    description:
      'unauthenticated: the token expired or was revoked. stopping: the process stops; connect again. interrupted: changes may have been missed; connect and read again.',
  })
  reason!: EndReason;
}
