import { Controller, Get } from '@nestjs/common';
import { ApiExtraModels, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../common/access/index.js';
import { CredentialField } from '../common/fields/index.js';
import { StoreList, toStoreList } from './stores.dto.js';
import { Stores } from './stores.js';

/** The stores that Pierhead publishes to. */
@ApiTags('stores')
@ApiExtraModels(CredentialField)
@Controller('stores')
export class StoresController {
  constructor(private readonly stores: Stores) {}

  @ApiOperation({ summary: 'Lists the stores, their capabilities and where to find their credentials.' })
  @Get()
  @Public('the answer is the same for everyone and contains nothing about tenants')
  @ApiOkResponse({ type: StoreList })
  list(): StoreList {
    return toStoreList(this.stores.all);
  }
}
