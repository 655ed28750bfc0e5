import { Controller, Ip, Res, Sse, type MessageEvent } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Observable } from 'rxjs';
import { Bearer, CurrentCaller, type Caller } from '../../common/access/index.js';
import { countAsAnswered } from '../../common/http/index.js';
import { Throws } from '../../common/problems/index.js';
import { StreamEnd, StreamedChange } from './stream.dto.js';
import { StreamLimitReached } from './stream.problems.js';
import { StreamService } from './stream.service.js';

/** A reader with more characters waiting than this is dropped, and reads everything anew when it comes back. */
const MOST_WAITING = 64 * 1024;

/** Tells what changes, while it changes. */
@ApiTags('overview')
@Controller('stream')
export class StreamController {
  constructor(private readonly stream: StreamService) {}

  @ApiOperation({
    summary: 'Tells what changes in the tenant, as server-sent events.',
    description:
      'First comes `ready`: every change that commits from then on is told within two seconds, whichever process made it, by an event `change`. It names what changed and never carries data; what the caller may not read is not told. A comment comes every 15 seconds. The last event is `end`, and then you connect again.',
  })
  @Sse('', { maxPendingDataLength: MOST_WAITING })
  @Bearer('extensions:read', 'filtered')
  @Throws(StreamLimitReached)
  @ApiExtraModels(StreamedChange, StreamEnd)
  @ApiOkResponse({
    description: 'Events `ready`, `change` (StreamedChange) and `end` (StreamEnd).',
    content: {
      'text/event-stream': {
        schema: { oneOf: [{ $ref: getSchemaPath(StreamedChange) }, { $ref: getSchemaPath(StreamEnd) }] },
      },
    },
  })
  listen(
    @CurrentCaller() caller: Caller,
    @Ip() address: string,
    @Res({ passthrough: true }) response: Response,
  ): Observable<MessageEvent> {
    return this.stream.listen(caller, address, () => countAsAnswered(response));
  }
}
