import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { CurrentSession, Session, type SessionCaller } from '../../common/access/index.js';
import { ConsoleStart } from './console-start.dto.js';
import { ConsoleStartService } from './console-start.service.js';

/** The first call of the console. */
@ApiTags('auth')
@Controller('console')
export class ConsoleStartController {
  constructor(private readonly starts: ConsoleStartService) {}

  @ApiOperation({
    summary: 'Starts the console: the user, an access token and the newest extensions in one answer.',
  })
  @Post('start')
  @HttpCode(200)
  @Session('account')
  @ApiOkResponse({ type: ConsoleStart })
  start(@CurrentSession() caller: SessionCaller): Promise<ConsoleStart> {
    return this.starts.start(caller);
  }
}
