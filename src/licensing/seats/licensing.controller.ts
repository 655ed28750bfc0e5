import { Body, Controller, Get, HttpCode, Ip, Post, UseGuards } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, LimitedPerAddress } from '../../common/access/index.js';
import { CrossOrigin, IdParam } from '../../common/http/index.js';
import { Throws } from '../../common/problems/index.js';
import { ExtensionNotFound } from '../../registry/index.js';
import { LeaseKeysService } from '../leases/lease-keys.service.js';
import { LeaseKeySet } from '../leases/leases.dto.js';
import { LicenseOrDeviceNotFound, LicensingNotEnabled } from '../licensing.problems.js';
import { CodeGuessingGuard } from './code-guessing.guard.js';
import { Activate, ActivationAnswer, Check, CheckAnswer, PublicRelease, ReleaseAnswer } from './licensing.dto.js';
import { SeatsService } from './seats.service.js';

/** What installed extensions call. Their shapes are frozen: shipped software relies on them. */
@ApiTags('licensing')
@Controller('licensing')
@UseGuards(CodeGuessingGuard)
export class LicensingController {
  constructor(
    private readonly seats: SeatsService,
    private readonly keys: LeaseKeysService,
  ) {}

  @ApiOperation({ summary: 'Seats a device. Says in `reason` why not; done again it changes nothing.' })
  @Post('activate')
  @HttpCode(200)
  @Public('whoever has a code may use it; guesses are counted')
  @CrossOrigin()
  @LimitedPerAddress('activate-address', 'rateLimitActivatePerAddress')
  @Throws(LicensingNotEnabled)
  @ApiOkResponse({ type: ActivationAnswer })
  activate(@Body() input: Activate, @Ip() address: string): Promise<ActivationAnswer> {
    return this.seats.activate(input, address);
  }

  @ApiOperation({ summary: 'Says whether a device holds a seat, and keeps that seat alive. Never seats one.' })
  @Post('check')
  @HttpCode(200)
  @Public('whoever has a code may ask about it; guesses are counted')
  @CrossOrigin()
  @LimitedPerAddress('check-address', 'rateLimitCheckPerAddress')
  @Throws(LicensingNotEnabled)
  @ApiOkResponse({ type: CheckAnswer })
  check(@Body() input: Check, @Ip() address: string): Promise<CheckAnswer> {
    return this.seats.check(input, address);
  }

  @ApiOperation({ summary: "Frees a device's seat for another one; done again it changes nothing." })
  @Post('release')
  @HttpCode(200)
  @Public('whoever has a code may move his seats; guesses are counted')
  @CrossOrigin()
  @LimitedPerAddress('release-address', 'rateLimitActivatePerAddress')
  @Throws(LicenseOrDeviceNotFound)
  @ApiOkResponse({ type: ReleaseAnswer })
  release(@Body() input: PublicRelease, @Ip() address: string): Promise<ReleaseAnswer> {
    return this.seats.release(input, address);
  }

  @ApiOperation({ summary: 'The public keys of an extension: the one that signs its leases now comes first.' })
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
