import { Controller, Get } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../common/access/index.js';
import { FieldOfCredentials, StoreList } from './stores.dto.js';
import { Stores } from './stores.js';

@ApiTags('stores')
@ApiExtraModels(FieldOfCredentials)
@Controller('stores')
export class StoresController {
  constructor(private readonly stores: Stores) {}

  @ApiOperation({ summary: 'The stores, what each can do, and how to come by its credentials.' })
  @Get()
  @Public('It says the same to everyone, and nothing of any tenant.')
  @ApiOkResponse({ type: StoreList })
  list(): StoreList {
    return {
      items: this.stores.all.map(({ id, title, capabilities, credentialShape }) => ({
        id,
        title,
        capabilities,
        credentials: { forms: credentialShape.forms, lapsesAfterDays: credentialShape.lapsesAfterDays },
      })),
    };
  }
}
