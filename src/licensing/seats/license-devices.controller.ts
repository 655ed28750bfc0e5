import { Body, Controller, Delete, Get, HttpCode, Post } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Bearer, CurrentCaller, inPath, type Caller } from '../../common/access/index.js';
import { IdParam, SendsEntityTags } from '../../common/http/index.js';
import { Throws } from '../../common/problems/index.js';
import { LicenseNotFound, LicenseOrDeviceNotFound } from '../licensing.problems.js';
import { FreedSeat, FreeSeat, LicenseEntity, LicenseWithDevices } from '../licenses/index.js';
import { LicenseDevicesService } from './license-devices.service.js';

/** The devices of a license, for the tenant. */
@ApiTags('licenses')
@SendsEntityTags()
@Controller('licenses')
export class LicenseDevicesController {
  constructor(private readonly devices: LicenseDevicesService) {}

  @ApiOperation({ summary: 'Retrieves a license and the devices that hold its seats.' })
  @Get(':id')
  @Bearer('licenses:read', inPath('id', LicenseEntity))
  @Throws(LicenseNotFound)
  @ApiOkResponse({ type: LicenseWithDevices })
  get(@CurrentCaller() caller: Caller, @IdParam() id: string): Promise<LicenseWithDevices> {
    return this.devices.get(caller.tenantId, id);
  }

  @ApiOperation({ summary: "Frees a device's seat by its fingerprint. Repeating the request changes nothing." })
  @Post(':id/release')
  @HttpCode(200)
  @Bearer('licenses:write', inPath('id', LicenseEntity))
  @Throws(LicenseOrDeviceNotFound)
  @ApiOkResponse({ type: FreedSeat })
  freeSeat(@CurrentCaller() caller: Caller, @IdParam() id: string, @Body() input: FreeSeat): Promise<FreedSeat> {
    return this.devices.freeSeat(caller.tenantId, id, input);
  }

  @ApiOperation({ summary: "Frees a device's seat by the device's id. Repeating the request changes nothing." })
  @Delete(':id/devices/:deviceId')
  @HttpCode(204)
  @Bearer('licenses:write', inPath('id', LicenseEntity))
  @Throws(LicenseOrDeviceNotFound)
  @ApiNoContentResponse()
  deleteDevice(
    @CurrentCaller() caller: Caller,
    @IdParam() id: string,
    @IdParam('deviceId') deviceId: string,
  ): Promise<void> {
    return this.devices.deleteDevice(caller.tenantId, id, deviceId);
  }
}
