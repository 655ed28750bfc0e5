import { Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, inPath, type Caller } from '../../common/access/index.js';
import { IdParam } from '../../common/http/index.js';
import { Throws } from '../../common/problems/index.js';
import { ExtensionNotFound } from '../../registry/index.js';
import { LeaseKeysService } from './lease-keys.service.js';
import { LeaseKeySet } from './leases.dto.js';

/** Rotation of lease keys, for the tenant. */
@ApiTags('licensing')
@Controller('extensions/:id/lease-keys')
export class LeaseKeysController {
  constructor(private readonly keys: LeaseKeysService) {}

  @ApiOperation({ summary: 'Rotates the lease keys: the next key signs from now on, and a new next key is published.' })
  @Post('rotate')
  @HttpCode(200)
  @Bearer('extensions:write', inPath('id'))
  @Throws(ExtensionNotFound)
  @ApiOkResponse({ type: LeaseKeySet })
  rotate(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<LeaseKeySet> {
    return this.keys.rotate(caller.tenantId, id);
  }
}
