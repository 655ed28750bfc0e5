import { Controller, Delete, Get, HttpCode, Query } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, type Caller } from '../../common/access/index.js';
import { ReadsStandby } from '../../common/database/index.js';
import { PageQuery, pageOf, type Page } from '../../common/fields/index.js';
import { IdParam } from '../../common/http/index.js';
import { Throws } from '../../common/problems/index.js';
import { UnrelatedProduct } from '../webhooks.dto.js';
import { UnrelatedProductNotFound } from '../webhooks.problems.js';
import { UnrelatedProductsService } from './unrelated-products.service.js';

@ApiTags('payment webhooks')
@Controller('webhooks/unrelated-products')
export class UnrelatedProductsController {
  constructor(private readonly products: UnrelatedProductsService) {}

  @ApiOperation({
    summary: 'Lists the products of your accounts that have nothing to do with an extension, the last marked first.',
  })
  @Get()
  @ReadsStandby()
  @Bearer('licenses:read', 'tenant')
  @ApiOkResponse({ type: pageOf(UnrelatedProduct) })
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery): Promise<Page<UnrelatedProduct>> {
    return this.products.list(caller.tenantId, query);
  }

  @ApiOperation({ summary: 'Takes the mark away from a product, whose sales ask for a plan again.' })
  @Delete(':id')
  @HttpCode(204)
  @Bearer('licenses:write', 'tenant')
  @Throws(UnrelatedProductNotFound)
  @ApiNoContentResponse()
  delete(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<void> {
    return this.products.delete(caller.tenantId, id);
  }
}
