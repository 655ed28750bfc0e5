import { Body, Controller, Delete, Get, HttpCode, Patch, Post, Query } from '@nestjs/common';
import { ApiCreatedResponse, ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, inBody, inPath, inQuery, type Caller } from '../../common/access/index.js';
import {
  Conditional,
  IdParam,
  IfMatch,
  SendsEntityTags,
  type Precondition,
  Idempotent,
} from '../../common/http/index.js';
import { ListCount, pageOf, type Page } from '../../common/fields/index.js';
import { Throws } from '../../common/problems/index.js';
import { ReadsStandby } from '../../common/database/index.js';
import { ExtensionNotFound } from '../../registry/index.js';
import {
  LicenseNeverExpires,
  LicenseNotBegun,
  LicenseNotFound,
  LicenseNotRevoked,
  LicenseRevoked,
  PlanNotFound,
} from '../licensing.problems.js';
import {
  ExtendLicense,
  IssuedLicense,
  IssueLicense,
  License,
  LicenseSelection,
  ListLicenses,
  FindLicense,
  UpdateLicense,
} from './licenses.dto.js';
import { LicensePlanEntity } from '../plans/index.js';
import { LicenseEntity } from './license.entity.js';
import { LicensesService } from './licenses.service.js';

/** Licenses, for the tenant. */
@ApiTags('licenses')
@SendsEntityTags()
@Controller('licenses')
export class LicensesController {
  constructor(private readonly licenses: LicensesService) {}

  @ApiOperation({ summary: 'Issues a license by hand. Only this response contains its code.' })
  @Post()
  @Idempotent()
  @Bearer('licenses:write', inBody('planId', LicensePlanEntity))
  @Throws(PlanNotFound)
  @ApiCreatedResponse({ type: IssuedLicense })
  issue(@CurrentCaller() caller: Caller, @Body() input: IssueLicense): Promise<IssuedLicense> {
    return this.licenses.issue(caller.tenantId, input);
  }

  @ApiOperation({
    summary: 'Lists licenses, newest first, optionally those of one extension, buyer, status, code, purchase or order.',
  })
  @Get()
  @ReadsStandby()
  @Bearer('licenses:read', inQuery('extension'))
  @Throws(ExtensionNotFound)
  @ApiOkResponse({ type: pageOf(License) })
  list(@CurrentCaller() caller: Caller, @Query() query: ListLicenses): Promise<Page<License>> {
    return this.licenses.list(caller.tenantId, query);
  }

  @ApiOperation({ summary: 'Counts licenses by the filters of the list.' })
  @Get('count')
  @ReadsStandby()
  @Bearer('licenses:read', inQuery('extension'))
  @Throws(ExtensionNotFound)
  @ApiOkResponse({ type: ListCount })
  count(@CurrentCaller() caller: Caller, @Query() selection: LicenseSelection): Promise<ListCount> {
    return this.licenses.count(caller.tenantId, selection);
  }

  @ApiOperation({ summary: 'Finds a license by its whole code. The code is in the body, to keep it out of logs.' })
  @Post('find')
  @HttpCode(200)
  @Bearer('licenses:read', 'tenant')
  @Throws(LicenseNotFound)
  @ApiOkResponse({ type: License })
  find(@CurrentCaller() caller: Caller, @Body() { code }: FindLicense): Promise<License> {
    return this.licenses.findByCode(caller.tenantId, code);
  }

  @ApiOperation({
    summary:
      'Updates the plan of a license, its buyer’s address, when it expires, how many devices it allows, the features that it unlocks, or your own data.',
  })
  @Patch(':id')
  @Conditional()
  @Bearer('licenses:write', inPath('id', LicenseEntity))
  @Throws(LicenseNotFound, PlanNotFound)
  @ApiOkResponse({ type: License })
  update(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @Body() input: UpdateLicense,
    @IfMatch() expected: Precondition,
  ): Promise<License> {
    return this.licenses.update(caller.tenantId, id, input, expected);
  }

  @ApiOperation({
    summary:
      'Extends a license by a term after it expires, or after now if it has expired. Send If-Match, so that a repeated request does not extend it twice.',
  })
  @Post(':id/extend')
  @HttpCode(200)
  @Conditional()
  @Bearer('licenses:write', inPath('id', LicenseEntity))
  @Throws(LicenseNotFound, LicenseRevoked, LicenseNeverExpires, LicenseNotBegun)
  @ApiOkResponse({ type: License })
  extend(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @Body() term: ExtendLicense,
    @IfMatch() expected: Precondition,
  ): Promise<License> {
    return this.licenses.extend(caller.tenantId, id, term, expected);
  }

  @ApiOperation({ summary: 'Revokes a license. This is final.' })
  @Post(':id/revoke')
  @HttpCode(200)
  @Bearer('licenses:write', inPath('id', LicenseEntity))
  @Throws(LicenseNotFound)
  @ApiOkResponse({ type: License })
  revoke(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<License> {
    return this.licenses.revoke(caller.tenantId, id);
  }

  @ApiOperation({ summary: 'Suspends a license until it is reinstated.' })
  @Post(':id/suspend')
  @HttpCode(200)
  @Bearer('licenses:write', inPath('id', LicenseEntity))
  @Throws(LicenseNotFound, LicenseRevoked)
  @ApiOkResponse({ type: License })
  suspend(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<License> {
    return this.licenses.suspend(caller.tenantId, id);
  }

  @ApiOperation({ summary: 'Reinstates a license that was suspended, or revoked by a refund or a dispute.' })
  @Post(':id/reinstate')
  @HttpCode(200)
  @Bearer('licenses:write', inPath('id', LicenseEntity))
  @Throws(LicenseNotFound, LicenseRevoked)
  @ApiOkResponse({ type: License })
  reinstate(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<License> {
    return this.licenses.reinstate(caller.tenantId, id);
  }

  @ApiOperation({
    summary:
      'Replaces the code of a license. The old code seats no device from now on; devices that hold a seat keep it, and work with the old code for the extension’s `replacedCodeDays`.',
  })
  @Post(':id/rotate')
  @HttpCode(200)
  @Bearer('licenses:write', inPath('id', LicenseEntity))
  @Throws(LicenseNotFound, LicenseRevoked)
  @ApiOkResponse({ type: IssuedLicense })
  rotate(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<IssuedLicense> {
    return this.licenses.rotate(caller.tenantId, id);
  }

  @ApiOperation({ summary: "Deletes a revoked license, its seats and the buyer's e-mail address." })
  @Delete(':id')
  @HttpCode(204)
  @Conditional()
  @Bearer('licenses:write', inPath('id', LicenseEntity))
  @Throws(LicenseNotFound, LicenseNotRevoked)
  @ApiNoContentResponse()
  delete(@CurrentCaller() caller: Caller, @IdParam() id: string, @IfMatch() expected: Precondition): Promise<void> {
    return this.licenses.delete(caller.tenantId, id, expected);
  }
}
