import { Body, Controller, Get, HttpCode, Ip, Post } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, LimitedPerAddress } from '../../common/access/index.js';
import { CrossOrigin, IdParam } from '../../common/http/index.js';
import { Throws } from '../../common/problems/index.js';
import { ExtensionNotFound } from '../../registry/index.js';
import { LeaseKeySet, LeaseKeysService } from '../leases/index.js';
import { LicenseOrDeviceNotFound, LicensingNotEnabled } from '../licensing.problems.js';
import { Activate, ActivationAnswer, Check, CheckAnswer, SeatRequest, FreeSeatAnswer } from './licensing.dto.js';
import { SeatsService } from './seats.service.js';

/** The routes that installed extensions call. Their shapes are frozen, because shipped extensions rely on them. */
@ApiTags('licensing')
@Controller('licensing')
export class LicensingController {
  constructor(
    private readonly seats: SeatsService,
    private readonly keys: LeaseKeysService,
  ) {}

  @ApiOperation({
    summary:
      'Activates a license on a device. If the device gets no seat, `reason` says why. Repeating the request changes nothing.',
  })
  @Post('activate')
  @HttpCode(200)
  @Public('the code authorizes the request; guesses are counted')
  @CrossOrigin()
  @LimitedPerAddress('activate-address', 'rateLimitActivatePerAddress')
  @Throws(LicensingNotEnabled)
  @ApiOkResponse({ type: ActivationAnswer })
  activate(@Body() input: Activate, @Ip() address: string): Promise<ActivationAnswer> {
    return this.seats.activate(input, address);
  }

  @ApiOperation({
    summary: 'Checks whether a device holds a seat, and keeps the seat alive. Never activates a device.',
  })
  @Post('check')
  @HttpCode(200)
  @Public('the code authorizes the request; guesses are counted')
  @CrossOrigin()
  @LimitedPerAddress('check-address', 'rateLimitCheckPerAddress')
  @Throws(LicensingNotEnabled)
  @ApiOkResponse({ type: CheckAnswer })
  check(@Body() input: Check, @Ip() address: string): Promise<CheckAnswer> {
    return this.seats.check(input, address);
  }

  @ApiOperation({ summary: "Frees a device's seat for another device. Repeating the request changes nothing." })
  @Post('release')
  @HttpCode(200)
  @Public('the code authorizes the request; guesses are counted')
  @CrossOrigin()
  @LimitedPerAddress('release-address', 'rateLimitActivatePerAddress')
  @Throws(LicenseOrDeviceNotFound)
  @ApiOkResponse({ type: FreeSeatAnswer })
  freeSeat(@Body() input: SeatRequest, @Ip() address: string): Promise<FreeSeatAnswer> {
    return this.seats.freeSeat(input, address);
  }

  @ApiOperation({
    summary: 'Retrieves the public keys that verify the leases of an extension. The key that signs now comes first.',
  })
  @Get('keys/:extensionId')
  @Public('public keys are public')
  @CrossOrigin()
  @LimitedPerAddress('check-address', 'rateLimitCheckPerAddress')
  @Throws(ExtensionNotFound)
  @ApiOkResponse({ type: LeaseKeySet })
  leaseKeys(@IdParam('extensionId') extensionId: string): Promise<LeaseKeySet> {
    return this.keys.published(extensionId);
  }
}
