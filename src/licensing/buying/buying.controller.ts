import { Body, Controller, Get, Header, HttpCode, Post, Query } from '@nestjs/common';
import { ApiAcceptedResponse, ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public, LimitedPerAddress } from '../../common/access/index.js';
import { CrossOrigin } from '../../common/http/index.js';
import { Throws } from '../../common/problems/index.js';
import { CheckoutNotOffered, LicensingNotEnabled } from '../licensing.problems.js';
import { AskCheckout, Checkout } from './checkout.dto.js';
import { CheckoutsService } from './checkouts.service.js';
import { AskRestore, RestoreAsked } from './restore.dto.js';
import { RestoresService } from './restores.service.js';

/** The routes by which an extension sells, and by which a buyer's next device gets the license. */
@ApiTags('licensing')
@Controller('licensing')
export class BuyingController {
  constructor(
    private readonly checkouts: CheckoutsService,
    private readonly restores: RestoresService,
  ) {}

  @ApiOperation({
    summary:
      'Answers the address of a checkout at which this device buys a plan. Once it is paid, the device claims the code with POST /licensing/claim.',
  })
  @Get('checkout')
  @Header('Cache-Control', 'no-store')
  @Public('anybody may buy')
  @CrossOrigin()
  @LimitedPerAddress('checkout-address', 'rateLimitClaimPerAddress')
  @Throws(LicensingNotEnabled, CheckoutNotOffered)
  @ApiOkResponse({ type: Checkout })
  checkout(@Query() query: AskCheckout): Promise<Checkout> {
    return this.checkouts.checkout(query);
  }

  @ApiOperation({
    summary:
      'Mails a link to a buyer, if the address has a license of the extension. Once the buyer has opened it, the device claims a code of its own with POST /licensing/claim.',
  })
  @Post('restore')
  @HttpCode(202)
  @Public('answers every address alike; the link goes to its mailbox')
  @CrossOrigin()
  @LimitedPerAddress('buyer-address', 'rateLimitBuyerPerAddress')
  @ApiAcceptedResponse({ type: RestoreAsked })
  restore(@Body() input: AskRestore): Promise<RestoreAsked> {
    return this.restores.request(input);
  }
}
