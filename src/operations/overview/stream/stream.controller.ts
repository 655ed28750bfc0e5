import { Controller, Ip, Res, Sse, type MessageEvent } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags, getSchemaPath } from '@nestjs/swagger';
import type { Response } from 'express';
import type { Observable } from 'rxjs';
import { Bearer, CurrentCaller, type Caller } from '../../../common/access/index.js';
import { countAsAnswered } from '../../../common/http/index.js';
import { Throws } from '../../../common/problems/index.js';
import { StreamEnd, StreamedChange } from './stream.dto.js';
import { StreamLimitReached } from './stream.problems.js';
import { StreamService } from './stream.service.js';

/** A client with more characters waiting than this is disconnected; it reads everything again when it reconnects. */
const MAX_WAITING = 64 * 1024;

/** The stream of changes in a tenant. */
@ApiTags('overview')
@Controller('stream')
export class StreamController {
  constructor(private readonly stream: StreamService) {}

  @ApiOperation({
    summary: "Streams the tenant's changes as server-sent events.",
    description:
      'The first event is `ready`. Every change that commits after it, in any process, is sent within two seconds as an event `change`, which names what changed and never carries data. Changes that the caller may not read are left out. A comment is sent every 15 seconds. The last event is `end`: connect again after it.',
  })
  @Sse('', { maxPendingDataLength: MAX_WAITING })
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
