import { Body, Controller, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, type Caller } from '../../../common/access/index.js';
import { Search, SearchResult } from './search.dto.js';
import { SearchService } from './search.service.js';

/** Search through all that a tenant has. */
@ApiTags('overview')
@Controller('search')
export class SearchController {
  constructor(private readonly searches: SearchService) {}

  @ApiOperation({
    summary: 'Searches extensions, versions, store items, licenses and sales.',
    description:
      'Changes nothing. It is a POST because the text may be a whole license code, which must not appear in a URL. Codes and addresses are neither stored nor logged.',
  })
  @Post()
  @HttpCode(200)
  @Bearer('extensions:read', 'filtered')
  @ApiOkResponse({ type: SearchResult })
  search(@CurrentCaller() caller: Caller, @Body() { text }: Search): Promise<SearchResult> {
    return this.searches.search(caller, text);
  }
}
